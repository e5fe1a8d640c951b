import type { Clock } from '@parcelway/kernel/clock';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { UsageStore } from '@parcelway/kernel/usage-counter';
import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import { counters, MongoCounter } from '@parcelway/mongo/mongo-counter';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { createIdempotencyStore, idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore, usageDays } from '@parcelway/store/shared/usage-days';
import { workLeases } from '@parcelway/store/shared/work-leases';
import { importCollections } from '../imports/import-collections.ts';
import { MongoForecastExpiry } from '../retention/adapters/mongo-forecast-expiry.ts';
import { forecastExpiries } from '../retention/adapters/mongo-retention-schema.ts';
import { createTenantRetentions, tenantRetentions } from '../retention/adapters/tenant-retention-store.ts';
import type { TenantRetentions } from '../retention/ports.ts';
import { MongoForecastStore } from '../store/adapters/mongo-forecast-store.ts';
import { forecasts } from '../store/adapters/mongo-schema.ts';
import { createWarehouseStore, warehouses } from '../store/adapters/warehouse-store.ts';
import type { WarehouseSamples, WarehouseStore } from '../store/ports.ts';

/** Every collection of the service. */
export const forecastCollections: readonly MongoCollection<unknown>[] = [
  forecasts,
  forecastExpiries,
  counters,
  ...[warehouses, tenantRetentions, ...importCollections, idempotencyKeys, usageDays, erasedTenants, workLeases].map(mongoCollection),
];

/** The stores of the service over MongoDB. `db`: migrated with forecastCollections; `shownIdOf`: what tenants see of an id. */
export function openMongoStores(
  db: MongoDatabase,
  shownIdOf: (forecastId: number) => number,
  clock: Clock,
): {
  readonly store: MongoForecastStore;
  readonly outbox: MongoOutbox;
  readonly idempotency: IdempotencyStore;
  readonly warehouses: WarehouseStore & WarehouseSamples;
  readonly expiry: MongoForecastExpiry;
  readonly expiryOutbox: OutboxSource;
  readonly retentions: TenantRetentions;
  readonly usage: UsageStore;
} {
  const kept = createMongoStore(db);
  const outbox = new MongoOutbox(db, forecasts, { clock, holdsFromWrite: true });
  return {
    store: new MongoForecastStore({ db, outbox, ids: new MongoCounter(db, 'forecast_id'), shownIdOf, clock }),
    outbox,
    idempotency: createIdempotencyStore(kept),
    warehouses: createWarehouseStore(kept),
    expiry: new MongoForecastExpiry(db, clock),
    expiryOutbox: new MongoOutbox(db, forecastExpiries, { clock }),
    retentions: createTenantRetentions(kept),
    usage: createUsageStore(kept),
  };
}
