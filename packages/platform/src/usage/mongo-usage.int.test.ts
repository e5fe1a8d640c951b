import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoUsage, usageDays, usageKind } from '@parcelway/mongo/mongo-usage';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeUsageStore } from './usage-store.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase([usageDays]);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeUsageStore(
  'MongoDB',
  async () => ({
    store: new MongoUsage(opened.database),
    kind: usageKind(opened.database),
    close: () => opened.clear(),
  }),
  true,
);

test('no statement goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
