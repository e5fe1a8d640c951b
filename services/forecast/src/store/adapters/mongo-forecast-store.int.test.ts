import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { forecastCollections, openMongoStores } from '../../adapters/mongo-stores.ts';
import { shownIdOf } from '../../testing/store-under-test.ts';
import { describeForecastStore } from '../forecast-store.conformance.ts';
import { forecasts } from './mongo-schema.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(forecastCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeForecastStore('MongoDB', async () => {
  const { store, outbox } = openMongoStores(opened.database, shownIdOf, systemClock);
  return {
    store,
    outbox: async () => (await outbox.lease(1000)).map(({ value }) => value),
    close: () => opened.clear(),
  };
});

test('none of the operations above goes through the whole collection, or sorts what an index has in order', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
  const profile = opened.database.connection.db?.collection('system.profile');
  expect(await profile?.countDocuments({ ns: /\.forecasts$/ })).toBeGreaterThan(100);
  expect(await profile?.find({ hasSortStage: true }).toArray()).toEqual([]);
});

test('every operation names the shard key, but for those over all tenants', async () => {
  expect(await broadcastsOf(opened.database, forecastCollections)).toEqual([
    'find forecasts by scanned, tenant_id, updated_at, warehouse_code',
  ]);
});

test('every index begins with the tenant, but for that of the relay, and that of scans of any tenant', () => {
  const keys = forecasts.schema.indexes().map(([fields]) => Object.keys(fields)[0]);
  expect(keys.filter((key) => key !== 'tenant_id')).toEqual(['warehouse_code', 'outbox_due']);
});
