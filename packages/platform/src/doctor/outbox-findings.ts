import { count, describeMs } from './amounts.ts';
import type { Report } from './check.ts';

/** A relay publishes within milliseconds; an older message waits for something. */
const SLOW_MS = 30_000;
const STUCK_MS = 5 * 60_000;

/** The unpublished messages of a service. `what` names the counted thing, `oldestAt` is in epoch milliseconds or null. */
export interface Backlog {
  readonly count: number;
  readonly what: string;
  readonly oldestAt: number | null;
}

/** Reports the outbox of a service; `now` by the clock that wrote it. */
export function reportOutbox(report: Report, service: string, backlog: Backlog, now: number): void {
  const check = `outbox ${service}`;
  if (backlog.count === 0 || backlog.oldestAt === null) {
    report.ok(check, 'empty');
    return;
  }
  const ageMs = Math.max(0, now - backlog.oldestAt);
  const message = `${count(backlog.count, backlog.what)} waiting, the oldest for ${describeMs(ageMs)}`;
  if (ageMs < SLOW_MS) report.ok(check, message);
  else if (ageMs < STUCK_MS)
    report.warning(check, message, `Check again in a minute. If it grows, read the log of ${service} about the outbox.`);
  else
    report.wrong(
      check,
      message,
      `Nothing publishes these messages. Check that ${service} runs and reaches the message log, and read its log about the outbox. No message is lost; all are published once that works.`,
    );
}
