import { describeMs } from './amounts.ts';
import type { Tell } from './check.ts';

/* Signatures of webhooks and S3 hold for minutes, leases for seconds. */
const WARN_MS = 2000;
const WRONG_MS = 30_000;

/** Tells of a clock that is `aheadMs` ahead of this process's. */
export function tellOfClock(tell: Tell, check: string, aheadMs: number): void {
  const off = Math.abs(aheadMs);
  const message = `${describeMs(off)} ${aheadMs >= 0 ? 'ahead of' : 'behind'} this machine's`;
  const next = 'Have both machines keep their time by NTP (chrony, systemd-timesyncd).';
  if (off < WARN_MS) tell.ok(check, message);
  else if (off < WRONG_MS) tell.warning(check, message, next);
  else tell.wrong(check, `${message}: messages are published twice, and signatures refused`, next);
}
