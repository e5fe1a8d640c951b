import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeExpiredForecasts } from '../expired-forecasts.conformance.ts';
import { intakeCollections } from './mongo-collections.ts';
import { openMongoExpired, openMongoStores, openMongoView } from './mongo-stores.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeExpiredForecasts('MongoDB', async (clock) => ({
  intake: openMongoStores(opened.database, clock),
  view: openMongoView(opened.database, clock, false),
  expired: openMongoExpired(opened.database),
  close: () => opened.clear(),
}));

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
