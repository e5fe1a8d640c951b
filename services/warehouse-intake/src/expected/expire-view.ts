import type { Clock } from '@parcelway/kernel/clock';
import type { ViewRetention } from './ports.ts';

/** What the clean-up of the view needs. */
export interface ViewExpiryOptions {
  readonly retention: ViewRetention;
  readonly clock: Clock;
  /** Forecasts are shown this long after they left or were cancelled. */
  readonly keepMs: number;
  /** True when the clean-up is to end early. */
  readonly stopping?: () => boolean;
}

/** Small enough that a batch does not hold up what comes in meanwhile. */
export const VIEW_PURGE_BATCH = 200;

/**
 * Deletes what warehouses no longer need to see, batch by batch.
 * @returns how many forecasts were deleted
 */
export async function expireView({ retention, clock, keepMs, stopping }: ViewExpiryOptions): Promise<number> {
  const before = clock.now() - keepMs;
  for (let total = 0; ; ) {
    const deleted = await retention.purge(before, VIEW_PURGE_BATCH);
    total += deleted;
    if (deleted < VIEW_PURGE_BATCH || stopping?.()) return total;
  }
}
