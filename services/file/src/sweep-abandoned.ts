import type { Blobs } from '@parcelway/blobs/blobs';
import type { Clock } from '@parcelway/kernel/clock';
import type { AbandonedUploads, SupersededDocuments } from './ports.ts';

/** What the sweep needs. */
export interface SweepDeps {
  readonly abandoned: AbandonedUploads;
  readonly superseded: SupersededDocuments;
  readonly blobs: Pick<Blobs, 'delete'>;
  readonly clock: Clock;
  /** An upload without a record after this long is given up; far longer than a request may take. */
  readonly maxAgeMs: number;
  /** Documents of a former version are kept so long after the next one. */
  readonly keepSupersededMs: number;
}

/** At most this many contents in one sweep; the next one takes the rest. */
export const SWEEP_BATCH = 100;

/**
 * Removes contents whose record was never written, because the process ended or the store failed in between, and documents that a newer version has
 * superseded long ago. A claimed
 * upload can no longer be recorded, so no record ever loses its content.
 * @returns how many contents were removed
 * @throws AppError 50301; what was claimed stays claimed and is taken up by the next sweep
 */
export async function sweepAbandoned(deps: SweepDeps): Promise<number> {
  await deps.superseded.retireSuperseded(deps.clock.now() - deps.keepSupersededMs, SWEEP_BATCH);
  const claimed = await deps.abandoned.claim(deps.clock.now() - deps.maxAgeMs, SWEEP_BATCH);
  for (const { ownerId, storageKey } of claimed) {
    await deps.blobs.delete(storageKey);
    await deps.abandoned.forget(ownerId, storageKey);
  }
  return claimed.length;
}
