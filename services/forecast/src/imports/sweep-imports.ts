import type { Clock } from '@parcelway/kernel/clock';
import type { HeldWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { ImportStore } from './import-store.ts';
import type { ImportFiles } from './ports.ts';

/** Imports that one sweep removes, so that others are not kept waiting. */
const MAX_REMOVED = 20;
const ROWS_AT_ONCE = 200;

export interface SweepImportsOptions {
  readonly store: Pick<ImportStore, 'over' | 'removeRows' | 'remove'>;
  readonly files: Pick<ImportFiles, 'delete'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Removes imports that are over 30 days old, and what is left of uploads that ended early: the file first, so that none is left behind. May be repeated.
 * @throws AppError 50301
 */
export async function sweepImports(
  { store, files, clock, logger }: SweepImportsOptions,
  held: Pick<HeldWork, 'renew' | 'isOver'>,
): Promise<void> {
  const over = held.isOver() ? [] : await store.over(clock.now(), MAX_REMOVED);
  for (const record of over) {
    await held.renew();
    if (held.isOver()) return;
    await files.delete(record.fileKey);
    while ((await store.removeRows(record, ROWS_AT_ONCE)) > 0) await held.renew();
    await store.remove(record);
  }
  if (over.length > 0) logger.info({ imports: over.length }, 'Imports were removed because their retention has ended');
}
