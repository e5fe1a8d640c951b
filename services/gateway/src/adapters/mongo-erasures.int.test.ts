import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { dumpOf } from '@parcelway/mongo/testing/mongo-dump';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeErasures } from './erasures.conformance.ts';
import { gatewayCollections } from './mongo-schema.ts';
import { openMongoStores } from './mongo-stores.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(gatewayCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeErasures('MongoDB', async () => ({
  stores: openMongoStores(opened.database, systemClock),
  dump: () => dumpOf(opened.database, gatewayCollections),
  close: () => opened.clear(),
}));

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
