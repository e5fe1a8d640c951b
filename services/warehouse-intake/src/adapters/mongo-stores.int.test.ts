import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type Clock, ManualClock, systemClock } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { dumpOf } from '@parcelway/mongo/testing/mongo-dump';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { createMongoTenantData } from '../erasure/adapters/mongo-tenant-data.ts';
import { describeIntakeTenantData } from '../erasure/adapters/tenant-data.conformance.ts';
import { describeForecastView } from '../expected/adapters/forecast-view.conformance.ts';
import { eventIndexes, forecastIndexes } from '../expected/adapters/mongo-schema.ts';
import { describeExpiredForecasts } from '../expired-forecasts.conformance.ts';
import { describeAppliedReports } from '../reports/adapters/applied-reports.conformance.ts';
import { describeEventOutcomes } from '../reports/adapters/event-outcomes.conformance.ts';
import { describeIntakeStore } from '../reports/adapters/intake-store.conformance.ts';
import { MongoRejections } from '../reports/adapters/mongo-rejections.ts';
import { changeForecast } from '../testing/change-forecast.ts';
import { collectPublications } from '../testing/collect-publications.ts';
import { accept, acceptedForecast, cancel, FILE_SECRET, intakeEvent, NOW } from '../testing/samples.ts';
import { intakeCollections } from './mongo-collections.ts';
import { openMongoStores } from './mongo-stores.ts';

// Thousands of writes, each confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(180_000);

let opened: TestDatabase;
const retracted: string[] = [];
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

const profile = () => opened.database.connection.db?.collection('system.profile');

async function openStores(clock: Clock = new ManualClock(NOW)) {
  const stores = openMongoStores(opened.database, clock);
  return {
    ...stores,
    store: stores.intake,
    rejections: new MongoRejections(opened.database, 3),
    claimed: stores.reports,
    data: createMongoTenantData(opened.database, {
      sealer: createTextSealer([FILE_SECRET]),
      retract: async (forecastNos) => void retracted.push(...forecastNos),
    }),
    published: collectPublications(stores.intake.outbox),
    publish: collectPublications(stores.intake.outbox),
    dump: () => dumpOf(opened.database, intakeCollections),
    close: () => opened.clear(),
  };
}

describeIntakeStore('MongoDB', openStores);
describeEventOutcomes('MongoDB', openStores);
describeAppliedReports('MongoDB', openStores);

test('a read goes through its index, in its order, and looks at no more than it returns', async () => {
  const reads = await profile()
    ?.find({ ns: /\.events$/, 'command.hint': eventIndexes.applied })
    .toArray();
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
  const hints = [forecastIndexes.claimed, forecastIndexes.alias];
  const reads = await profile()
    ?.find({ ns: /\.forecasts$/, 'command.hint': { $in: hints } })
    .toArray();
  expect(reads?.length).toBeGreaterThan(15);
  for (const { keysExamined, docsExamined, hasSortStage } of reads ?? []) {
    expect(hasSortStage).toBeUndefined();
    expect([keysExamined <= 3, docsExamined <= 2]).toEqual([true, true]);
  }
});

describeForecastView('MongoDB', async (clock) => {
  const { view, close } = await openStores(clock);
  return { store: view, close };
});
describeExpiredForecasts('MongoDB', openStores);
describeIntakeTenantData('MongoDB', () => openStores());

test('the erasure of a tenant retracts its forecasts from systems outside the platform', () => {
  expect([...new Set(retracted)].sort()).toEqual(['F1ALPHA', 'F2ALPHA']);
});

test('a report whose message is not published yet stays until it is', async () => {
  const { intake, expired, publish, dump, close } = await openStores();
  await accept(intake, acceptedForecast({ forecastNo: 'FC1', trackingNumbers: ['LP1'] }));
  await intake.record([intakeEvent({ eventId: 'late', expressNo: 'LP1' })]);
  const { tenantId } = acceptedForecast();
  await expect(expired.drop([{ tenantId, forecastNo: 'FC1' }])).rejects.toMatchObject({ code: '50301' });
  expect(await dump()).toContain('late');
  await publish();
  await expired.drop([{ tenantId, forecastNo: 'FC1' }]);
  expect(await dump()).not.toContain('late');
  await close();
});

test('no operation above scans a whole collection, and an index sorts every list of waiting events', async () => {
  expect(await profile()?.countDocuments({ ns: /\.(events|forecasts)$/ })).toBeGreaterThan(1000);
  expect(await profile()?.countDocuments({ ns: /\.resolutions$/ })).toBeGreaterThan(100);
  expect(
    await profile()
      ?.find({ ns: /\.(events|resolutions|rejections)$/, hasSortStage: true, 'command.hint': 'reason_at' })
      .toArray(),
  ).toEqual([]);
  expect(await collectionScansOf(opened.database)).toEqual([]);
});

test('every operation names the shard key, except those over all warehouses or forecasts', async () => {
  expect(await broadcastsOf(opened.database, intakeCollections)).toEqual([
    'aggregate events by waiting',
    'deleteMany declared_numbers by _id',
    'deleteMany events by forecast_no, waiting',
    'deleteMany events by published_to',
    'deleteMany resolutions by _id',
    'deleteMany resolutions by forecast_no',
    'deleteMany view_forecasts by _id, tenant_id',
    'find declared_numbers by most',
    'find declared_numbers by tenant_id',
    'find declared_numbers by unseen',
    'find events by $and($or(_id, occurred_at | occurred_at)), forecast_no, waiting',
    'find events by forecast_no, waiting',
    'find events by published_to',
    'find events by unfinished_since',
    'find events by waiting',
    'find forecasts by $or(_id | numbers, warehouse_code)',
    'find forecasts by $or(numbers, warehouse_code)',
    'find forecasts by $or(stands_in_for.number, warehouse_code)',
    'find forecasts by _id, tenant_id',
    'find forecasts by assigned.number, numbers, warehouse_code',
    'find forecasts by closed_at',
    'find forecasts by stands_in_for.number, warehouse_code',
    'find forecasts by tenant_id',
    'find resolutions by events',
    'find resolutions by forecast_no',
    'find resolutions by open, resolved_at',
    'find resolutions by resolved_at',
    'find view_forecasts by $or(_id | stamp), due_date, stamp, status, tenant_id, warehouse_code',
    'find view_forecasts by $or(_id | stamp), due_date, stamp, status, warehouse_code',
    'find view_forecasts by $or(_id | stamp), stamp, status, tenant_id, warehouse_code',
    'find view_forecasts by $or(_id | stamp), stamp, status, warehouse_code',
    'find view_forecasts by _id, tenant_id',
    'find view_forecasts by closed_at',
    'find view_forecasts by due_date, stamp, status, tenant_id, warehouse_code',
    'find view_forecasts by due_date, stamp, status, warehouse_code',
    'find view_forecasts by live_keys, warehouse_code',
    'find view_forecasts by past_keys, warehouse_code',
    'find view_forecasts by stamp, status, tenant_id, warehouse_code',
    'find view_forecasts by stamp, status, warehouse_code',
    'find view_forecasts by tenant_id',
    'updateMany events by _id',
  ]);
});

/** First fields of the other indexes, by collection: sweeps and lists of the platform itself, the forecast that an event names, a key's owner, and what is erased with a tenant. */
const OVER_ALL_WAREHOUSES = [
  'declared_numbers.most',
  'declared_numbers.tenant_id',
  'declared_numbers.unseen',
  'erased_tenants.erasedAt',
  ...['forecast_no', 'outbox_due', 'published_to', 'received_at', 'received_at', 'unfinished_since', 'waiting'].map(
    (field) => `events.${field}`,
  ),
  'forecasts.closed_at',
  'forecasts.tenant_id',
  'idempotency_keys.createdAt',
  'idempotency_keys.ownerId',
  'rejections.at',
  'resolutions.forecast_no',
  'resolutions.resolved_at',
  'resolutions.resolved_at',
  'view_forecasts.closed_at',
  'view_forecasts.outbox_due',
  'view_forecasts.tenant_id',
];

test('every index of every collection begins with the warehouse, but for those of the platform itself', () => {
  const firstKeys = intakeCollections.flatMap(({ name, schema }) => schema.indexes().map(([keys]) => `${name}.${Object.keys(keys)[0]}`));
  expect(firstKeys.filter((key) => !key.endsWith('.warehouse_code')).sort()).toEqual(OVER_ALL_WAREHOUSES);
});

test('a store without a connection says so', async () => {
  const away = await opened.second();
  await away.close();
  const { intake, reports, view } = openMongoStores(away, systemClock);
  const calls = [
    () => intake.record([intakeEvent()]),
    () => accept(intake, acceptedForecast()),
    () => cancel(intake, 'FC1', 0),
    () => intake.unclaimed(1),
    () => intake.purge(0, 1),
    () => intake.resume(0, 1),
    () => intake.check(),
    () => reports.latestOf([{ warehouseCode: 'WH1', forecastNo: 'FC1' }], { photo: 1 }),
    () => reports.dispatchedOnHold([{ warehouseCode: 'WH1', eventId: 'a' }]),
    () => reports.claimedFor('WH1', { text: 'A', number: 'A' }, 1),
    () => changeForecast(view, 'FC1', () => undefined),
    () => view.get('WH1', ['FC1']),
    () => view.read('WH1', 'FC1'),
    () => view.list('WH1', { statuses: [1], above: 0, limit: 1 }),
    () => view.settled(),
    () => view.find('WH1', ['s:A'], 1),
    () => view.purge(0, 1),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: '50301' });
});
