import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import { SWEEP_BATCH, type SweepOptions, sweepAbandoned } from './sweep-abandoned.ts';

/** What the sweeper needs besides what a sweep does. */
export interface SweeperOptions extends SweepOptions {
  /** Which process sweeps, of those that share the store. */
  readonly lease: WorkLease;
  readonly logger: Logger;
}

const SWEEP_EVERY_MS = 60_000;

/** Makes the sweep that repeats itself: now, and then every minute, in one process at a time. */
export function createSweeper(options: SweeperOptions): RegularWork {
  const { lease, clock, logger } = options;

  /** Sweeps until little is left, or the work is over. */
  const sweepAll = async (held: HeldWork): Promise<number> => {
    let removed = 0;
    let last: number;
    do {
      await held.renew();
      last = await sweepAbandoned(options);
      removed += last;
    } while (last === SWEEP_BATCH && !held.isOver());
    if (removed > 0) {
      const what = 'files whose retention has ended, and leftover data of refused, interrupted and repeated uploads';
      logger.info({ removed }, `Removed ${what}.`);
    }
    return held.isOver() ? clock.now() : clock.now() + SWEEP_EVERY_MS;
  };

  return createLeasedWork({
    lease,
    clock,
    logger,
    everyMs: SWEEP_EVERY_MS,
    retryMs: SWEEP_EVERY_MS,
    work: sweepAll,
    failure: 'Could not remove files whose retention has ended and leftover data of uploads. The next run tries again.',
  });
}
