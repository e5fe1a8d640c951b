import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { MongoWorkLease } from '@parcelway/mongo/mongo-work-lease';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { forecastCollections, forecasts } from '../../adapters/mongo-schema.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { listedNos } from '../../testing/listed.ts';
import { contentOf } from '../../testing/samples.ts';
import { forecast, shownIdOf } from '../../testing/store-under-test.ts';
import { FILLING } from '../domain/filling.ts';
import { describeTermFilling } from '../term-filling.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(forecastCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeTermFilling('MongoDB', async () => ({
  ...openMongoStores(opened.database, shownIdOf, systemClock),
  lease: new MongoWorkLease(opened.database, FILLING),
  close: () => opened.clear(),
}));

test('terms that a replica of a former release has left behind are replaced', async () => {
  const { store, filling } = openMongoStores(opened.database, shownIdOf, systemClock);
  await store.insert(forecast({ no: 'F1', content: JSON.stringify(contentOf('F1')), terms: ['sOLD', 'sSKU-1'] }), () => []);
  await store.insert(forecast({ no: 'F2', content: JSON.stringify(contentOf('F2')) }), () => []);
  await opened.database.model(forecasts).collection.updateOne({ forecast_no: 'F2', tenant_id: 'tnt_a' }, { $unset: { terms: '' } });
  expect(await filling.fill(['tnt_a F1', 'tnt_a F2'])).toBe(2);
  expect(await listedNos(store, { skuCode: 'OLD' })).toEqual([]);
  expect(await listedNos(store, { skuCode: 'SKU-1' })).toEqual(['F2', 'F1']);
  await opened.clear();
});

test('none of the operations above goes through the whole collection, and each names the shard key, but for the way over all tenants', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
  expect(await broadcastsOf(opened.database, forecastCollections)).toEqual(['find forecasts by _id']);
});
