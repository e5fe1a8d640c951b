import { afterAll, beforeAll } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeConnectionStores } from './connection-stores.conformance.ts';
import { createMongoCallLedgers } from './mongo-call-ledgers.ts';
import { createMongoConnections } from './mongo-connections.ts';
import { connectionCollections } from './mongo-schema.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(connectionCollections);
});
afterAll(() => opened.close());

describeConnectionStores('mongo', async () => {
  await opened.clear();
  return {
    connections: createMongoConnections(opened.database),
    ledgers: createMongoCallLedgers(opened.database),
    close: async () => undefined,
  };
});
