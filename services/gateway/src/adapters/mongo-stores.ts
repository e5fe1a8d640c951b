import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { keys } from '../keys/key-collection.ts';
import { tenants } from '../tenants/tenant-collection.ts';
import { warehouses } from '../tenants/warehouse-collection.ts';
import { createGatewayStores, gatewayCollections } from './gateway-stores.ts';
import { joinOutboxes } from './join-outboxes.ts';

/** What the gateway keeps, as MongoDB has it. */
export const mongoCollections = gatewayCollections.map(mongoCollection);

/** The gateway's stores over its MongoDB database. @param database migrated with {@link mongoCollections} */
export function openMongoStores(database: MongoDatabase) {
  const store = createMongoStore(database);
  return createGatewayStores(store, {
    outbox: joinOutboxes({ key: store.outbox(keys), warehouse: store.outbox(warehouses), tenant: store.outbox(tenants) }),
    check: () => database.check(),
  });
}
