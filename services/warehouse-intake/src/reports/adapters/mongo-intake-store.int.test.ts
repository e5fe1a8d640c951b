import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { intakeCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { collectPublications } from '../../testing/collect-publications.ts';
import { accept, acceptedForecast, cancel, intakeEvent } from '../../testing/samples.ts';
import { describeIntakeStore } from './intake-store.conformance.ts';

// Thousands of writes, each confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(180_000);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeIntakeStore('MongoDB', async (clock) => {
  const store = openMongoStores(opened.database, clock).intake;
  return { store, published: collectPublications(store.outbox), close: () => opened.clear() };
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
  const profile = opened.database.connection.db?.collection('system.profile');
  expect(await profile?.countDocuments({ ns: /\.(events|forecasts)$/ })).toBeGreaterThan(1000);
  expect(await profile?.countDocuments({ ns: /\.resolutions$/ })).toBeGreaterThan(100);
});

test('every operation names the shard key, but for those over all warehouses', async () => {
  expect(await broadcastsOf(opened.database, intakeCollections)).toEqual([
    'aggregate events by waiting',
    'deleteMany resolutions by _id',
    'find declared_numbers by most',
    'find declared_numbers by unseen',
    'find events by $and($or(_id, occurred_at | occurred_at)), forecast_no, waiting',
    'find events by forecast_no, waiting',
    'find events by unfinished_since',
    'find events by waiting',
    'find forecasts by $or(_id | numbers, warehouse_code)',
    'find forecasts by $or(numbers, warehouse_code)',
    'find forecasts by $or(stands_in_for.number, warehouse_code)',
    'find forecasts by closed_at',
    'find resolutions by events',
    'find resolutions by open, resolved_at',
    'find resolutions by resolved_at',
    'updateMany events by _id',
  ]);
});

/** First fields of the other indexes, by collection: sweeps and lists of the platform itself, the forecast that an event names, a key's owner, and what is erased with a tenant. */
const OVER_ALL_WAREHOUSES = [
  'declared_numbers.most',
  'declared_numbers.tenant_id',
  'declared_numbers.unseen',
  'erased_tenants.erased_at',
  ...['forecast_no', 'outbox_due', 'published_to', 'received_at', 'received_at', 'unfinished_since', 'waiting'].map(
    (field) => `events.${field}`,
  ),
  'forecasts.closed_at',
  'forecasts.tenant_id',
  'idempotency_keys.created_at',
  'idempotency_keys.owner_id',
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
  const store = openMongoStores(away, systemClock).intake;
  const calls = [
    () => store.record([intakeEvent()]),
    () => accept(store, acceptedForecast()),
    () => cancel(store, 'FC1', 0),
    () => store.unclaimed(1),
    () => store.purge(0, 1),
    () => store.resume(0, 1),
    () => store.check(),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: '50301' });
});
