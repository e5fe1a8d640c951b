import type { Logger } from '@parcelway/kernel/logger';
import { within as waitWithin } from '@parcelway/kernel/within';

/* Together below the 25 s within which a stop has to end. */
/** Running requests may finish this long at the public port. */
export const DRAIN_PUBLIC_MS = 8000;
/** A service may take this long to stop its consumers and schedules. */
export const STOP_SERVICES_MS = 10_000;
/** Running requests may finish this long at the ports of the services behind a gateway that has drained. */
export const DRAIN_SERVICES_MS = 3000;
/** Log and stores may take this long to close. */
export const CLOSE_PLATFORM_MS = 2000;

/** Waits for `work`, at most `ms`: a stop must end even if a part of it hangs or fails. Never throws; logs what went wrong. */
export async function within(ms: number, what: string, work: Promise<unknown>, logger: Logger): Promise<void> {
  const late = new Error(`did not stop within ${ms} ms`);
  try {
    await waitWithin(ms, work, () => late);
  } catch (err) {
    if (err === late) logger.warn({ what, ms }, 'did not stop in time; the shutdown continues');
    else logger.error({ what, err }, 'failed to stop cleanly');
  }
}
