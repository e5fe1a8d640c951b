import type { Clock } from '@parcelway/kernel/clock';
import { MongoCounter } from '@parcelway/mongo/mongo-counter';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoIdempotencyStore } from '@parcelway/mongo/mongo-idempotency';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { MongoUsage } from '@parcelway/mongo/mongo-usage';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { MongoForecastExpiry } from '../retention/adapters/mongo-forecast-expiry.ts';
import { forecastExpiries } from '../retention/adapters/mongo-retention-schema.ts';
import { MongoTenantRetentions } from '../retention/adapters/mongo-tenant-retentions.ts';
import { MongoForecastStore } from './mongo-forecast-store.ts';
import { forecasts } from './mongo-schema.ts';
import { MongoWarehouses } from './mongo-warehouses.ts';

/** The stores of the service over MongoDB. `db`: migrated with forecastCollections; `shownIdOf`: what tenants see of an id. */
export function openMongoStores(
  db: MongoDatabase,
  shownIdOf: (forecastId: number) => number,
  clock: Clock,
): {
  readonly store: MongoForecastStore;
  readonly outbox: MongoOutbox;
  readonly idempotency: MongoIdempotencyStore;
  readonly warehouses: MongoWarehouses;
  readonly expiry: MongoForecastExpiry;
  readonly expiryOutbox: OutboxSource;
  readonly retentions: MongoTenantRetentions;
  readonly usage: MongoUsage;
} {
  const outbox = new MongoOutbox(db, forecasts, { clock, holdsFromWrite: true });
  return {
    store: new MongoForecastStore({ db, outbox, ids: new MongoCounter(db, 'forecast_id'), shownIdOf, clock }),
    outbox,
    idempotency: new MongoIdempotencyStore(db),
    warehouses: new MongoWarehouses(db),
    expiry: new MongoForecastExpiry(db, clock),
    expiryOutbox: new MongoOutbox(db, forecastExpiries, { clock }),
    retentions: new MongoTenantRetentions(db),
    usage: new MongoUsage(db),
  };
}
