import type { Clock } from '@parcelway/kernel/clock';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { ImportRecord } from './import-collections.ts';
import type { ImportStops, ImportStore } from './import-store.ts';
import type { ImportFiles } from './ports.ts';

const DAY_MS = 86_400_000;
/** How long imports and their rows are kept. */
export const IMPORTS_KEPT_MS = 30 * DAY_MS;
/** Longer than an upload can take. */
const RECEIVED_WITHIN_MS = 3_600_000;
const EVERY_MS = 3_600_000;
/** Rows, or stops. */
const AT_ONCE = 200;

export interface SweepImportsOptions {
  readonly store: ImportStore;
  readonly stops: Pick<ImportStops, 'forget'>;
  readonly files: Pick<ImportFiles, 'delete'>;
  readonly lease: WorkLease;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Removes an import: its file first, so that none is left behind. May be repeated. */
async function removeImport({ store, files }: SweepImportsOptions, record: ImportRecord, held: Pick<HeldWork, 'renew'>): Promise<void> {
  await files.delete(record.fileKey);
  while ((await store.removeRows(record, AT_ONCE)) > 0) await held.renew();
  await store.remove(record);
}

/**
 * Removes imports that are over 30 days old, what is left of uploads that ended early, and stops that no upload can meet any more.
 * @returns how many imports
 * @throws AppError 50301
 */
export async function sweepImports(options: SweepImportsOptions, held: Pick<HeldWork, 'renew' | 'isOver'>): Promise<number> {
  const { store, stops, clock } = options;
  while (!held.isOver() && (await stops.forget(clock.now() - RECEIVED_WITHIN_MS, AT_ONCE)) > 0) await held.renew();
  let removed = 0;
  const remove = async (record: ImportRecord): Promise<void> => {
    await removeImport(options, record, held);
    removed += 1;
  };
  for (let tenantId = await store.nextTenant(''); tenantId !== undefined; tenantId = await store.nextTenant(tenantId)) {
    await held.renew();
    if (held.isOver()) break;
    const leftOver = (await store.unfinished(tenantId)).filter(
      ({ state, createdAt }) => state === 'receiving' && createdAt < clock.now() - RECEIVED_WITHIN_MS,
    );
    for (const record of leftOver) await remove(record);
    for (let oldest = await store.oldest(tenantId); oldest && !held.isOver(); oldest = await store.oldest(tenantId)) {
      if (oldest.createdAt >= clock.now() - IMPORTS_KEPT_MS) break;
      await remove(oldest);
    }
  }
  return removed;
}

export function createImportSweep(options: SweepImportsOptions): RegularWork {
  const { lease, clock, logger } = options;
  return createLeasedWork({
    lease,
    clock,
    logger,
    everyMs: EVERY_MS,
    retryMs: EVERY_MS,
    failure: 'Imports whose retention has ended could not be removed; it is retried',
    async work(held) {
      const removed = await sweepImports(options, held);
      if (removed > 0) logger.info({ imports: removed }, 'Imports were removed because their retention has ended');
      return clock.now() + EVERY_MS;
    },
  });
}
