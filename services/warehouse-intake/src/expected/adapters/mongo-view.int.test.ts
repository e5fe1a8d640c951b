import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { intakeCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { changeForecast } from '../ports.ts';
import { describeForecastView } from './forecast-view.conformance.ts';
import { viewForecasts } from './mongo-view-schema.ts';

// Each write is confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(180_000);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeForecastView('MongoDB', async (clock) => ({
  store: openMongoStores(opened.database, clock, true).view,
  close: () => opened.clear(),
}));

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});

test('every operation names the shard key, but for those over all forecasts', async () => {
  expect(await broadcastsOf(opened.database, intakeCollections)).toEqual([
    'find view_forecasts by $or(_id | stamp), due_date, stamp, status, tenant_id, warehouse_code',
    'find view_forecasts by $or(_id | stamp), due_date, stamp, status, warehouse_code',
    'find view_forecasts by $or(_id | stamp), stamp, status, tenant_id, warehouse_code',
    'find view_forecasts by $or(_id | stamp), stamp, status, warehouse_code',
    'find view_forecasts by closed_at',
    'find view_forecasts by due_date, stamp, status, tenant_id, warehouse_code',
    'find view_forecasts by due_date, stamp, status, warehouse_code',
    'find view_forecasts by live_keys, warehouse_code',
    'find view_forecasts by past_keys, warehouse_code',
    'find view_forecasts by stamp, status, tenant_id, warehouse_code',
    'find view_forecasts by stamp, status, warehouse_code',
  ]);
});

test('every index begins with the warehouse, but for those of the retention, the erasure and the relay', () => {
  const firstKeys = viewForecasts.schema.indexes().map(([keys]) => Object.keys(keys)[0]);
  expect(firstKeys.filter((key) => key !== 'warehouse_code')).toEqual(['closed_at', 'tenant_id', 'outbox_due']);
});

test('a store without a connection says so', async () => {
  const away = await opened.second();
  await away.close();
  const view = openMongoStores(away, systemClock, true).view;
  const calls = [
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
