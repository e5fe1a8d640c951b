import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { ManualClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { intakeCollections } from '../../adapters/mongo-collections.ts';
import { eventIndexes, forecastIndexes } from '../../expected/adapters/mongo-schema.ts';
import { type AppliedReportsDriver, describeAppliedReports } from './applied-reports.conformance.ts';
import { MongoIntakeStore } from './mongo-intake-store.ts';
import { MongoReports } from './mongo-reports.ts';

jest.setTimeout(180_000);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

const openDriver = async (clock: ManualClock): Promise<AppliedReportsDriver> => ({
  store: new MongoIntakeStore(opened.database, clock),
  reports: new MongoReports(opened.database),
  claimed: new MongoReports(opened.database),
  close: () => opened.clear(),
});
describeAppliedReports('MongoDB', openDriver);

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});

test('every operation names the shard key, but for those over all warehouses', async () => {
  expect(await broadcastsOf(opened.database, intakeCollections)).toEqual([
    'find events by forecast_no, waiting',
    'find events by waiting',
    'find forecasts by $or(_id | numbers, warehouse_code)',
    'find forecasts by $or(numbers, warehouse_code)',
    'find forecasts by $or(stands_in_for.number, warehouse_code)',
    'find forecasts by assigned.number, numbers, warehouse_code',
    'find forecasts by stands_in_for.number, warehouse_code',
  ]);
});

test('a read goes through its index, in its order, and looks at no more than it returns', async () => {
  const profile = opened.database.connection.db?.collection('system.profile');
  const reads = await profile?.find({ ns: /\.events$/, 'command.hint': eventIndexes.applied }).toArray();
  expect(reads?.length).toBeGreaterThan(15);
  for (const { command, docsExamined, keysExamined, nreturned, hasSortStage, planSummary } of reads ?? []) {
    expect(planSummary).toMatch(/^IXSCAN \{ warehouse_code: 1, published_to: 1, report_kind: 1, /);
    expect(hasSortStage).toBeUndefined();
    // What looks for holds of many forecasts at once reads the index alone.
    expect(docsExamined).toBe('event' in command.projection ? nreturned : 0);
    if (command.sort !== undefined) expect(keysExamined).toBeLessThanOrEqual(nreturned + 1);
  }
});

test('a claimed number is found by its index, and no more forecasts are looked at than declare a claim of it', async () => {
  const profile = opened.database.connection.db?.collection('system.profile');
  const hints = [forecastIndexes.claimed, forecastIndexes.alias];
  const reads = await profile?.find({ ns: /\.forecasts$/, 'command.hint': { $in: hints } }).toArray();
  expect(reads?.length).toBeGreaterThan(15);
  for (const { keysExamined, docsExamined, hasSortStage } of reads ?? []) {
    expect(hasSortStage).toBeUndefined();
    expect([keysExamined <= 3, docsExamined <= 2]).toEqual([true, true]);
  }
});

test('a store without a connection says so', async () => {
  const away = await opened.second();
  await away.close();
  const reports = new MongoReports(away);
  const calls = [
    () => reports.latestOf([{ warehouseCode: 'WH1', forecastNo: 'FC1' }], { photo: 1 }),
    () => reports.dispatchedOnHold([{ warehouseCode: 'WH1', eventId: 'a' }]),
    () => reports.claimedFor('WH1', { text: 'A', number: 'A' }, 1),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: '50301' });
});
