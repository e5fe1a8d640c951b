import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { CheckedStore } from '../checked-store.ts';
import type { Store } from '../store.ts';
import { MongoStoreDriver } from './mongo-store-driver.ts';

/** The store over a MongoDB database that was migrated with `mongoCollection` of its collections. */
export function createMongoStore(database: MongoDatabase): Store {
  return new CheckedStore(new MongoStoreDriver(database));
}
