import type { Blobs } from '@parcelway/blobs/blobs';
import type { Clock } from '@parcelway/kernel/clock';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { FileStore } from './contents/content-records.ts';
import type { FileRetention } from './retention/file-retention.ts';

export interface SweepOptions {
  /** Over all owners: the sweep is the platform's own work, not a caller's. */
  readonly abandoned: Pick<FileStore, 'claim' | 'forget'>;
  readonly unused: Pick<FileRetention, 'retireUnused'>;
  readonly blobs: Pick<Blobs, 'delete'>;
  readonly clock: Clock;
  /** An upload without a record after this long is abandoned; far longer than a request may take. */
  readonly maxAgeMs: number;
}

/**
 * How long a PDF stays after the last forecast that used it has ended: a forecast that uses it again may be on its way.
 */
const UNUSED_KEPT_MS = 86_400_000;

/** At most this many contents in one sweep; the next one takes the rest. */
export const SWEEP_BATCH = 100;

/**
 * Removes contents whose record was never written, because the process ended or the store failed in between. A claimed upload can no longer be recorded,
 * so no record ever loses its content.
 * @returns how many contents were removed
 * @throws AppError 50301; what was claimed stays claimed and is taken up by the next sweep
 */
export async function sweepAbandoned(options: SweepOptions): Promise<number> {
  const claimed = await options.abandoned.claim(options.clock.now() - options.maxAgeMs, SWEEP_BATCH);
  for (const { ownerId, storageKey } of claimed) {
    await options.blobs.delete(storageKey);
    await options.abandoned.forget(ownerId, storageKey);
  }
  // The next sweep removes their contents.
  await options.unused.retireUnused(options.clock.now() - UNUSED_KEPT_MS, SWEEP_BATCH);
  return claimed.length;
}

const SWEEP_EVERY_MS = 60_000;

/** Sweeps until little is left, or the work is over. @returns how many contents were removed */
export async function sweepAll(options: SweepOptions, held: Pick<HeldWork, 'renew' | 'isOver'>): Promise<number> {
  let removed = 0;
  let last: number;
  do {
    await held.renew();
    last = await sweepAbandoned(options);
    removed += last;
  } while (last === SWEEP_BATCH && !held.isOver());
  return removed;
}

/**
 * Makes the sweep that repeats itself: now, and then every minute, in one process at a time.
 * @param options.lease which process sweeps, of those that share the store
 */
export function createSweeper(options: SweepOptions & { readonly lease: WorkLease; readonly logger: Logger }): RegularWork {
  const { lease, clock, logger } = options;
  return createLeasedWork({
    ...{ lease, clock, logger, everyMs: SWEEP_EVERY_MS, retryMs: SWEEP_EVERY_MS },
    async work(held) {
      const removed = await sweepAll(options, held);
      const what = 'files whose retention has ended, and leftover data of refused, interrupted and repeated uploads';
      if (removed > 0) logger.info({ removed }, `Removed ${what}.`);
      return held.isOver() ? clock.now() : clock.now() + SWEEP_EVERY_MS;
    },
    failure: 'Could not remove files whose retention has ended and leftover data of uploads. The next run tries again.',
  });
}
