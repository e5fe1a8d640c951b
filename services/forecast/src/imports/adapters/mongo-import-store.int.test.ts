import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeImportStops } from '../import-stops.conformance.ts';
import { describeImportStore } from '../import-store.conformance.ts';
import { importCollections } from './mongo-import-schema.ts';
import { MongoImportStops } from './mongo-import-stops.ts';
import { MongoImportStore } from './mongo-import-store.ts';

let opened: TestDatabase;

beforeAll(async () => {
  opened = await openTestDatabase(importCollections);
  await startProfile(opened.database);
});

afterAll(() => opened.close());

describeImportStore('MongoDB', async () => ({ store: new MongoImportStore(opened.database), close: () => opened.clear() }));

describeImportStops('MongoDB', async () => ({ stops: new MongoImportStops(opened.database), close: () => opened.clear() }));

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
