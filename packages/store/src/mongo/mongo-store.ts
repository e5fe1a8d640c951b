import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { CheckedStore } from '../checked-store.ts';
import type { Collection } from '../collection.ts';
import { MongoStoreDriver } from './mongo-store-driver.ts';

/** The store over a MongoDB database that was migrated with `mongoCollection` of its collections. */
export class MongoStore extends CheckedStore {
  readonly #driver: MongoStoreDriver;

  constructor(driver: MongoStoreDriver) {
    super(driver);
    this.#driver = driver;
  }

  /** The messages of a collection that wait to be published: what its relay goes by. */
  outbox(collection: Collection): MongoOutbox {
    return this.#driver.outbox(collection);
  }
}

/** Opens the store. */
export function createMongoStore(database: MongoDatabase): MongoStore {
  return new MongoStore(new MongoStoreDriver(database));
}
