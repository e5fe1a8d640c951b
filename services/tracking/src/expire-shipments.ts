import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import { keyText } from './domain/parcel-key.ts';
import type { Shipment } from './domain/shipment.ts';
import type { Retention } from './ports.ts';

/** What the clean-up needs. */
export interface ExpiryOptions {
  readonly retention: Retention;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Shipments are kept this long after their last change. */
  readonly keepMs: number;
  /** Keeps copies of shipments of a tenant; resolves once they are durable. Undefined: they are deleted without a copy. */
  readonly archive: ArchiveShipments | undefined;
}

/** Writes shipments of a tenant with their histories to the archive. @throws AppError 50301 */
export type ArchiveShipments = (tenantId: string, shipments: readonly Shipment[]) => Promise<void>;

/** The clean-up as something that runs. */
export interface RetentionTimer {
  /** Cleans up now, and then every 10 minutes. */
  start(): void;
  /** Cleans up soon: something has become old at once. */
  wake(): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

/** Small enough that a batch does not hold up queries. */
const BATCH = 100;
const EVERY_MS = 10 * 60_000;
/** What becomes old within this time is archived and deleted together. */
const WAKE_AFTER_MS = 5000;

/**
 * Archives and deletes what is past its time, batch by batch. What was archived before a crash is archived again, and then deleted.
 * @param stopping true when the clean-up is to end early
 * @returns how many shipments and forecasts were deleted
 */
export async function expireShipments(options: ExpiryOptions, stopping: () => boolean): Promise<number> {
  const { retention, clock, keepMs } = options;
  const before = clock.now() - keepMs;
  let total = 0;
  for (;;) {
    const deleted = await retention.purge(before, BATCH, await archiveEnded(options, before));
    total += deleted;
    if (deleted === 0 || stopping()) return total;
  }
}

/** @returns the keys of what is archived and may be deleted; undefined without an archive */
async function archiveEnded({ retention, archive }: ExpiryOptions, before: number): Promise<ReadonlySet<string> | undefined> {
  if (archive === undefined) return undefined;
  const ended = await retention.ended(before, BATCH);
  const byTenant = new Map<string, Shipment[]>();
  for (const shipment of ended) byTenant.set(shipment.tenantId, [...(byTenant.get(shipment.tenantId) ?? []), shipment]);
  for (const [tenantId, shipments] of byTenant) await archive(tenantId, shipments);
  if (ended.length > 0) await failpointAsync('retention.archived');
  return new Set(ended.map(keyText));
}

/** Makes the clean-up that repeats itself. */
export function createRetentionTimer(options: ExpiryOptions): RetentionTimer {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopping = false;
  let isRunning = false;
  const run = (): void => {
    clearTimeout(timer);
    isRunning = true;
    running = expireShipments(options, () => stopping)
      .then((deleted) => {
        if (deleted > 0) options.logger.info({ deleted }, 'Old shipments and forecasts were deleted');
      })
      .catch((error: unknown) => options.logger.warn({ err: error }, 'Deleting old shipments failed; it is retried'))
      .finally(() => {
        isRunning = false;
        if (!stopping) timer = setTimeout(run, EVERY_MS).unref();
      });
  };
  return {
    start: run,
    wake() {
      if (stopping || isRunning) return;
      clearTimeout(timer);
      timer = setTimeout(run, WAKE_AFTER_MS).unref();
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
