import type { Blobs } from '@parcelway/blobs/blobs';
import { DEAD_LETTER_RETENTION_DAYS, TOPIC_RETENTION_DAYS } from '@parcelway/contracts/topics';
import type { Clock } from '@parcelway/kernel/clock';
import type { AbandonedUploads } from './ports.ts';
import type { FileRetention } from './retention/ports.ts';

/** What the sweep needs. */
export interface SweepOptions {
  readonly abandoned: AbandonedUploads;
  readonly unused: Pick<FileRetention, 'retireUnused' | 'forgetDeleted'>;
  readonly blobs: Pick<Blobs, 'delete'>;
  readonly clock: Clock;
  /** An upload without a record after this long is abandoned; far longer than a request may take. */
  readonly maxAgeMs: number;
}

/**
 * A PDF stays for so long after the last forecast that used it has ended: a forecast that uses it again may be on its way.
 */
const UNUSED_KEPT_MS = 86_400_000;

/** A link of a photo to a deleted forecast may be on its way for as long as the log keeps messages, then as a dead letter, and a day more. */
const DELETED_KEPT_MS = (TOPIC_RETENTION_DAYS + DEAD_LETTER_RETENTION_DAYS + 1) * 86_400_000;

/** At most this many contents in one sweep; the next one takes the rest. */
export const SWEEP_BATCH = 100;
const FORGET_BATCH = 1000;
/** A sweep forgets more than expires in a minute at the highest pace of the retention. */
const MAX_FORGET_BATCHES = 30;

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
  await forgetDeleted(options);
  return claimed.length;
}

async function forgetDeleted({ unused, clock }: SweepOptions): Promise<void> {
  for (let batch = 0; batch < MAX_FORGET_BATCHES; batch += 1) {
    if ((await unused.forgetDeleted(clock.now() - DELETED_KEPT_MS, FORGET_BATCH)) < FORGET_BATCH) return;
  }
}
