import { openTestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { errands, shelves } from '../testing/shelf.ts';
import { describeStore } from '../testing/store.conformance.ts';
import { MongoStoreDriver } from './mongo-store-driver.ts';
import { mongoCollection } from './mongo-store-schema.ts';

const collections = [shelves, errands].map(mongoCollection);

describeStore('MongoDB', async () => {
  const opened = await openTestDatabase(collections);
  const driver = new MongoStoreDriver(opened.database);
  return {
    driver,
    messages: () => driver.outbox(shelves).lease(100),
    clear: () => opened.clear(),
    close: () => opened.close(),
  };
});
