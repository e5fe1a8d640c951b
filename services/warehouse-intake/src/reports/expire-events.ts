import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { Retention } from './ports.ts';

/** What the clean-up needs. */
export interface ExpiryOptions {
  readonly retention: Retention;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Events are kept this long after they came in. */
  readonly keepMs: number;
  /** True when the clean-up is to end early. */
  readonly stopping?: () => boolean;
}

/** Small enough that a batch does not hold up the events that come in meanwhile. */
export const PURGE_BATCH = 500;

/**
 * Deletes events past their time, batch by batch. Dropped events that never found a forecast are named in the log.
 * @returns how many events were deleted
 */
export async function expireEvents(options: ExpiryOptions): Promise<number> {
  const before = options.clock.now() - options.keepMs;
  let total = 0;
  for (;;) {
    const { deleted, unclaimed } = await options.retention.purge(before, PURGE_BATCH);
    total += deleted;
    if (unclaimed.length > 0) {
      const sample = unclaimed.slice(0, 20).map((event) => `${event.warehouseCode}/${event.eventId}`);
      options.logger.warn({ events: unclaimed.length, sample }, 'Unclaimed events were deleted: no forecast matched them in time');
    }
    if (deleted < PURGE_BATCH || options.stopping?.()) return total;
  }
}
