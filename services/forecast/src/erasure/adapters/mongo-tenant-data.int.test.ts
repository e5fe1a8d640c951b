import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { dumpOf } from '@parcelway/mongo/testing/mongo-dump';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { forecastCollections, openMongoStores } from '../../adapters/mongo-stores.ts';
import { createImportStops, createImportStore } from '../../imports/import-store.ts';
import { shownIdOf } from '../../testing/store-under-test.ts';
import { createMongoTenantData } from './mongo-tenant-data.ts';
import { describeForecastTenantData, noFiles } from './tenant-data.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(forecastCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeForecastTenantData('MongoDB', async () => ({
  ...openMongoStores(opened.database, shownIdOf, systemClock),
  imports: createImportStore(createMongoStore(opened.database)),
  importStops: createImportStops(createMongoStore(opened.database)),
  data: createMongoTenantData(opened.database, noFiles),
  dump: () => dumpOf(opened.database, forecastCollections),
  close: () => opened.clear(),
}));

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
