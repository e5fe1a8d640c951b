import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { forecastCollections } from '../../adapters/mongo-stores.ts';
import { describeWarehouseStore } from '../warehouse-store.conformance.ts';
import { MongoWarehouses } from './mongo-warehouses.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(forecastCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeWarehouseStore('MongoDB', async () => ({ store: new MongoWarehouses(opened.database), close: () => opened.clear() }));

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
