import { count, describeMs } from './amounts.ts';
import type { Tell } from './check.ts';

/** A relay publishes within milliseconds; what is older than this waits for something. */
const SLOW_MS = 30_000;
const STUCK_MS = 5 * 60_000;

/** What waits in the outbox of a service. `what` is what is counted, `oldestAt` epoch milliseconds or null. */
export interface Backlog {
  readonly count: number;
  readonly what: string;
  readonly oldestAt: number | null;
}

/** Tells of the outbox of a service; `now` by the clock that wrote it. */
export function tellOfOutbox(tell: Tell, service: string, backlog: Backlog, now: number): void {
  const check = `outbox ${service}`;
  if (backlog.count === 0 || backlog.oldestAt === null) {
    tell.ok(check, 'empty');
    return;
  }
  const ageMs = Math.max(0, now - backlog.oldestAt);
  const message = `${count(backlog.count, backlog.what)} wait, the oldest for ${describeMs(ageMs)}`;
  if (ageMs < SLOW_MS) tell.ok(check, message);
  else if (ageMs < STUCK_MS)
    tell.warning(check, message, `Look again in a minute; when it grows, see what the log of ${service} says of the outbox.`);
  else
    tell.wrong(
      check,
      message,
      `Nothing publishes it: see that ${service} runs and reaches the message log, and what its log says of the outbox. Nothing is lost: it goes out once that works.`,
    );
}
