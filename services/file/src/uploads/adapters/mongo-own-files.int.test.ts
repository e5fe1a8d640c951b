import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { shownNumbers } from '../../adapters/file-store.conformance.ts';
import { fileCollections } from '../../adapters/mongo-schema.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { describeOwnFiles } from '../own-files.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(fileCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeOwnFiles('MongoDB', async () => ({
  ...openMongoStores(opened.database, shownNumbers),
  close: () => opened.clear(),
}));

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
