import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { intakeCollections } from '../../adapters/mongo-collections.ts';
import { describeEventOutcomes } from './event-outcomes.conformance.ts';
import { MongoEventOutcomes } from './mongo-event-outcomes.ts';
import { MongoIntakeStore } from './mongo-intake-store.ts';
import { MongoRejections } from './mongo-rejections.ts';

jest.setTimeout(180_000);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeEventOutcomes('MongoDB', async (clock) => ({
  store: new MongoIntakeStore(opened.database, clock),
  outcomes: new MongoEventOutcomes(opened.database, clock),
  rejections: new MongoRejections(opened.database, 3),
  close: () => opened.clear(),
}));

test('none of the operations above goes through a whole collection, nor sorts', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
  const profile = opened.database.connection.db?.collection('system.profile');
  const of = /\.(events|resolutions|rejections)$/;
  expect(await profile?.countDocuments({ ns: of })).toBeGreaterThan(20);
  expect(await profile?.find({ ns: of, hasSortStage: true, 'command.hint': 'reason_at' }).toArray()).toEqual([]);
});

test('every operation names the shard key, but for those over all warehouses', async () => {
  expect(await broadcastsOf(opened.database, intakeCollections)).toEqual([
    'find events by forecast_no, waiting',
    'find forecasts by $or(_id | numbers, warehouse_code)',
    'find forecasts by $or(numbers, warehouse_code)',
    'find forecasts by $or(stands_in_for.number, warehouse_code)',
  ]);
});
