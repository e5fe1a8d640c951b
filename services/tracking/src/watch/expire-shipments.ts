import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { SkippedItems } from '@parcelway/kernel/skipped-items';
import { togetherOrEach } from '@parcelway/kernel/together-or-each';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { keyText, type Shipment } from './domain/shipment.ts';
import type { Retention } from './retention.ts';

/** What the clean-up needs. */
export interface ExpiryOptions {
  readonly retention: Retention;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Shipments are kept this long after their last change. */
  readonly keepMs: number;
  /** Keeps copies of shipments of a tenant; resolves once they are durable. Undefined: they are deleted without a copy. */
  readonly archive: ArchiveShipments | undefined;
  /** Shipments that could not be archived in turns before, by keyText. */
  readonly skipped: SkippedItems;
  readonly metrics: Pick<ServiceTelemetry['metrics'], 'count'>;
}

/** Writes shipments of a tenant with their histories to the archive. @throws AppError 50301 */
export type ArchiveShipments = (tenantId: string, shipments: readonly Shipment[]) => Promise<void>;

/** Small enough that a batch does not hold up queries. */
const BATCH = 100;
const EVERY_MS = 10 * 60_000;

/**
 * Archives and deletes what is past its time, batch by batch. What was archived before a crash is archived again, and then deleted.
 * A shipment that cannot be archived stays and is tried again later (kernel/skipped-items); the others go on.
 * @returns how many shipments and forecasts were deleted
 * @throws AppError 50301 when the store or the archive is out
 */
export async function expireShipments(options: ExpiryOptions, held: Pick<HeldWork, 'renew' | 'isOver'>): Promise<number> {
  const { retention, clock, keepMs, archive, skipped } = options;
  const before = clock.now() - keepMs;
  let total = 0;
  let failed = 0;
  for (;;) {
    await held.renew();
    // Those that were skipped stay, and may lie before the others.
    const limit = BATCH + skipped.size;
    const batch = archive && (await archiveEnded(options, archive, before, limit));
    const deleted = await retention.purge(before, limit, batch?.archived);
    total += deleted;
    failed += batch?.failed ?? 0;
    const isDone = deleted === 0 && (batch?.failed ?? 0) === 0;
    // More than that may be skipped and forgotten again in turn, without an end.
    if (isDone || failed >= skipped.max || held.isOver()) return total;
  }
}

/** What came of the archiving of a batch. */
interface ArchivedBatch {
  /** Keys of what is archived and may be deleted. */
  readonly archived: ReadonlySet<string>;
  readonly failed: number;
}

/** Archives a batch, tenant by tenant, without those that were skipped a short time ago. @param limit so many are looked at */
async function archiveEnded(
  { retention, skipped, clock, logger, metrics }: ExpiryOptions,
  archive: ArchiveShipments,
  before: number,
  limit: number,
): Promise<ArchivedBatch> {
  const ended = await retention.ended(before, limit);
  const due = ended.filter((shipment) => skipped.isDue(keyText(shipment), clock.now())).slice(0, BATCH);
  const byTenant = new Map<string, Shipment[]>();
  for (const shipment of due) byTenant.set(shipment.tenantId, [...(byTenant.get(shipment.tenantId) ?? []), shipment]);
  const archived = new Set<string>();
  for (const [tenantId, shipments] of byTenant) {
    const write = async (some: readonly Shipment[]): Promise<readonly Shipment[]> => {
      await archive(tenantId, some);
      return some;
    };
    const skip = (shipment: Shipment, error: unknown): void => {
      const { forecastNo, trackingNumber } = shipment;
      const tries = skipped.failed(keyText(shipment), clock.now());
      metrics.count('parcelway_retention_skipped_total', {});
      const fields = { err: error, tenant_id: tenantId, forecast_no: forecastNo, tracking_number: trackingNumber, tries };
      logger.error(fields, 'A shipment whose retention has ended was skipped');
    };
    for (const key of (await togetherOrEach(shipments, write, skip)).map(keyText)) {
      archived.add(key);
      skipped.settled(key);
    }
  }
  if (archived.size > 0) await failpointAsync('retention.archived');
  return { archived, failed: due.length - archived.size };
}

/**
 * Makes the clean-up that repeats itself: now, and then every 10 minutes, in one process at a time. Wake it when something has become old at once.
 * @param lease which process cleans up, of those that share the store
 */
export function createRetentionTimer(options: ExpiryOptions, lease: WorkLease): RegularWork {
  const { clock, logger } = options;
  return createLeasedWork({
    lease,
    clock,
    logger,
    everyMs: EVERY_MS,
    retryMs: EVERY_MS,
    failure: 'Deleting old shipments failed; it is retried',
    async work(held) {
      const deleted = await expireShipments(options, held);
      if (deleted > 0) logger.info({ deleted }, 'Old shipments and forecasts were deleted');
      return held.isOver() ? clock.now() : clock.now() + EVERY_MS;
    },
  });
}
