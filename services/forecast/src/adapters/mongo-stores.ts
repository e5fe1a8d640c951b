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
import { importCollections } from '../imports/adapters/mongo-import-schema.ts';
import { MongoForecastExpiry } from '../retention/adapters/mongo-forecast-expiry.ts';
import { forecastExpiries, tenantRetentions } from '../retention/adapters/mongo-retention-schema.ts';
import { MongoTenantRetentions } from '../retention/adapters/mongo-tenant-retentions.ts';
import { MongoForecastStore } from '../store/adapters/mongo-forecast-store.ts';
import { forecasts, warehouses } from '../store/adapters/mongo-schema.ts';
import { MongoWarehouses } from '../store/adapters/mongo-warehouses.ts';

/** Every collection of the service. */
export const forecastCollections: readonly MongoCollection<unknown>[] = [
  forecasts,
  warehouses,
  tenantRetentions,
  forecastExpiries,
  counters,
  ...importCollections,
  ...[idempotencyKeys, usageDays, erasedTenants, workLeases].map(mongoCollection),
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
  readonly warehouses: MongoWarehouses;
  readonly expiry: MongoForecastExpiry;
  readonly expiryOutbox: OutboxSource;
  readonly retentions: MongoTenantRetentions;
  readonly usage: UsageStore;
} {
  const outbox = new MongoOutbox(db, forecasts, { clock, holdsFromWrite: true });
  return {
    store: new MongoForecastStore({ db, outbox, ids: new MongoCounter(db, 'forecast_id'), shownIdOf, clock }),
    outbox,
    idempotency: createIdempotencyStore(createMongoStore(db)),
    warehouses: new MongoWarehouses(db),
    expiry: new MongoForecastExpiry(db, clock),
    expiryOutbox: new MongoOutbox(db, forecastExpiries, { clock }),
    retentions: new MongoTenantRetentions(db),
    usage: createUsageStore(createMongoStore(db)),
  };
}
