import { cleanUpSteps } from '@parcelway/platform/policies/clean-up';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { createIdempotencyStore, idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore, deliveryDays, usageDays } from '@parcelway/store/shared/usage-days';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { createSqliteEndpoints, EndpointTable } from '../endpoints/adapters/sqlite-endpoints.ts';
import { createSqliteTenantData } from '../erasure/adapters/sqlite-tenant-data.ts';
import { createSqliteFeed } from '../feed/adapters/sqlite-feed.ts';
import { InFlightDeliveries } from '../intake/adapters/sqlite-in-flight.ts';
import { createSqliteIntake } from '../intake/adapters/sqlite-intake.ts';
import type { WebhookStores } from '../ports.ts';
import { createSqliteLog } from '../queue/adapters/sqlite-log.ts';
import { createSqliteQueue, reclaimLeases } from '../queue/adapters/sqlite-queue.ts';
import { createSqliteRedelivery } from '../queue/adapters/sqlite-redelivery.ts';
import { createSqliteMaintenance } from '../retention/adapters/sqlite-maintenance.ts';
import { webhookMigrations } from './sqlite-schema.ts';

/** Opens the service's stores over its SQLite file and takes back what a former process had leased. */
export async function openSqliteStores(db: SqliteDatabase): Promise<WebhookStores> {
  db.migrate(webhookMigrations);
  const endpoints = new EndpointTable(db);
  const inFlight = new InFlightDeliveries(db);
  const tables = { db, endpoints, inFlight };
  await reclaimLeases(tables);
  const collections = createSqliteStore({ db });
  return {
    cleaning: (clock) => cleanUpSteps([idempotencyKeys, usageDays, deliveryDays], collections, clock),
    idempotency: createIdempotencyStore(collections),
    endpoints: createSqliteEndpoints(db, endpoints),
    intake: createSqliteIntake(tables),
    queue: createSqliteQueue(tables),
    log: createSqliteLog(db, inFlight),
    redelivery: createSqliteRedelivery(db),
    feed: createSqliteFeed(db),
    maintenance: createSqliteMaintenance(tables),
    tenantData: createSqliteTenantData(db, endpoints),
    usage: createUsageStore(collections),
    deliveryDays: createUsageStore(collections, deliveryDays),
  };
}
