import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeActivityStores } from './activity-stores.conformance.ts';
import { MongoAudit, MongoFailedCalls } from './mongo-activity.ts';
import { auditEntries, failedCalls } from './mongo-activity-schema.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase([auditEntries, failedCalls]);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeActivityStores('MongoDB', async () => ({
  audit: new MongoAudit(opened.database),
  failedCalls: new MongoFailedCalls(opened.database),
  close: () => opened.clear(),
}));

test('no statement goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
