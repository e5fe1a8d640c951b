import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import { togetherOrEach } from '@parcelway/kernel/together-or-each';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { type Shipment, shipmentOf } from './domain/shipment.ts';
import type { Retention, StoredParcel } from './retention.ts';

export interface ExpiryOptions {
  readonly retention: Retention;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Shipments are kept this long after their last change. */
  readonly keepMs: number;
  /** Keeps copies of shipments of a tenant; resolves once they are durable. Undefined: they are deleted without a copy. */
  readonly archive: ArchiveShipments | undefined;
  readonly metrics: Pick<ServiceTelemetry['metrics'], 'count'>;
}

/** Writes shipments of a tenant with their histories to the archive. @throws AppError 50301 */
export type ArchiveShipments = (tenantId: string, shipments: readonly Shipment[]) => Promise<void>;

/** Small enough that a batch does not hold up queries. */
const BATCH = 100;
const EVERY_MS = 10 * 60_000;
/** A turn ends after so many failures. The next turn begins behind them. */
const MAX_FAILED = 1000;

/**
 * Archives and deletes what is past its time, batch by batch. What was archived before a crash is archived again, and then deleted.
 * A shipment that cannot be archived stays and is tried again in the next turn; the others go on.
 * @returns how many shipments and simulated parcels were deleted
 * @throws AppError 50301 when the store or the archive is out
 */
export async function expireShipments(options: ExpiryOptions, held: Pick<HeldWork, 'place' | 'renew' | 'isOver'>): Promise<number> {
  const { retention, clock, keepMs, archive } = options;
  const before = clock.now() - keepMs;
  let { place } = held;
  let [total, failed] = [0, 0];
  do {
    const { items, next } = await retention.ended(before, BATCH, place === '' ? undefined : place);
    const archived = archive === undefined ? items : await archiveEnded(options, archive, items);
    failed += items.length - archived.length;
    total += await retention.deleteEnded(archived);
    place = next ?? '';
    await held.renew(place);
  } while (place !== '' && failed < MAX_FAILED && !held.isOver());
  for (let deleted = BATCH; deleted > 0 && !held.isOver(); total += deleted) {
    deleted = await retention.deleteSimulated(before, BATCH);
    await held.renew();
  }
  return total;
}

/** Archives a batch, tenant by tenant. @returns what is archived and may be deleted */
async function archiveEnded(
  { logger, metrics }: ExpiryOptions,
  archive: ArchiveShipments,
  found: readonly StoredParcel[],
): Promise<readonly StoredParcel[]> {
  const archived: StoredParcel[] = [];
  for (const tenantId of new Set(found.map(({ value }) => value.tenantId))) {
    const write = async (some: readonly StoredParcel[]): Promise<readonly StoredParcel[]> => {
      await archive(
        tenantId,
        some.flatMap(({ value }) => shipmentOf(value) ?? []),
      );
      return some;
    };
    const skip = ({ value }: StoredParcel, error: unknown): void => {
      metrics.count('parcelway_retention_skipped_total', {});
      const fields = { err: error, tenant_id: tenantId, forecast_no: value.forecastNo, tracking_number: value.trackingNumber };
      logger.error(fields, 'A shipment whose retention has ended was skipped');
    };
    const ofTenant = found.filter(({ value }) => value.tenantId === tenantId);
    archived.push(...(await togetherOrEach(ofTenant, write, skip)));
  }
  if (archived.length > 0) await failpointAsync('retention.archived');
  return archived;
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
      if (deleted > 0) logger.info({ deleted }, 'Old shipments were deleted');
      return held.isOver() ? clock.now() : clock.now() + EVERY_MS;
    },
  });
}
