import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { MongoIdempotencyStore } from '@parcelway/mongo/mongo-idempotency';
import { dumpOf } from '@parcelway/mongo/testing/mongo-dump';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { intakeCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { FILE_SECRET, NOW } from '../../testing/samples.ts';
import { createMongoTenantData } from './mongo-tenant-data.ts';
import { describeIntakeTenantData } from './tenant-data.conformance.ts';

let opened: TestDatabase;
const retracted: string[] = [];
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeIntakeTenantData('MongoDB', async () => {
  const { database } = opened;
  const clock = new ManualClock(NOW);
  return {
    intake: openMongoStores(database, clock).intake,
    view: openMongoStores(database, clock, true).view,
    keys: new MongoIdempotencyStore(database),
    data: createMongoTenantData(database, {
      sealer: createTextSealer([FILE_SECRET]),
      retract: async (forecastNos) => void retracted.push(...forecastNos),
    }),
    dump: () => dumpOf(database, intakeCollections),
    close: () => opened.clear(),
  };
});

test('what systems outside know is taken back', () => {
  expect([...new Set(retracted)].sort()).toEqual(['F1ALPHA', 'F2ALPHA']);
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
