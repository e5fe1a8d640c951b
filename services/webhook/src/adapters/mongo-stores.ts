import { newToken } from '@parcelway/kernel/ids';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import { cleanUpSteps } from '@parcelway/platform/policies/clean-up';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createIdempotencyStore, idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore, deliveryDays, usageDays } from '@parcelway/store/shared/usage-days';
import { createMongoEndpoints } from '../endpoints/adapters/mongo-endpoints.ts';
import { createMongoTenantData } from '../erasure/adapters/mongo-tenant-data.ts';
import { createMongoFeed } from '../feed/adapters/mongo-feed.ts';
import { MongoIntake } from '../intake/adapters/mongo-intake.ts';
import { UnstoredDeliveries } from '../intake/adapters/mongo-unstored.ts';
import type { WebhookStores } from '../ports.ts';
import { createMongoLog } from '../queue/adapters/mongo-log.ts';
import { createMongoQueue } from '../queue/adapters/mongo-queue.ts';
import { createMongoRedelivery } from '../queue/adapters/mongo-redelivery.ts';
import { createMongoMaintenance } from '../retention/adapters/mongo-maintenance.ts';

/**
 * Opens the service's stores over its MongoDB database. Any number of processes may; what a former one had leased is due
 * when its leases have run out.
 * @param db has the collections of mongo-collections
 */
export function openMongoStores(db: MongoDatabase): WebhookStores {
  const owner = newToken(9);
  const time = new MongoServerTime(db);
  const unstored = new UnstoredDeliveries(db);
  const collections = createMongoStore(db);
  return {
    cleaning: (clock) => cleanUpSteps([idempotencyKeys, usageDays, deliveryDays], collections, clock),
    idempotency: createIdempotencyStore(collections),
    endpoints: createMongoEndpoints(db),
    intake: new MongoIntake(db, owner, time, unstored),
    queue: createMongoQueue(db, owner, unstored),
    log: createMongoLog(db),
    redelivery: createMongoRedelivery(db),
    feed: createMongoFeed(db, time),
    maintenance: createMongoMaintenance(db),
    tenantData: createMongoTenantData(db),
    usage: createUsageStore(collections),
    deliveryDays: createUsageStore(collections, deliveryDays),
  };
}
