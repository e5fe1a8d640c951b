import { describeMs } from './amounts.ts';
import type { Report } from './check.ts';

/* Signatures of webhooks and S3 hold for minutes, leases for seconds. */
const WARN_MS = 2000;
const WRONG_MS = 30_000;

/** Reports a clock that is `aheadMs` ahead of this process's. */
export function reportClock(report: Report, check: string, aheadMs: number): void {
  const off = Math.abs(aheadMs);
  const message = `${describeMs(off)} ${aheadMs >= 0 ? 'ahead of' : 'behind'} this machine's`;
  const next = 'Synchronize both machines with NTP (chrony, systemd-timesyncd).';
  if (off < WARN_MS) report.ok(check, message);
  else if (off < WRONG_MS) report.warning(check, message, next);
  else report.wrong(check, `${message}: messages are published twice, and signatures are refused`, next);
}
