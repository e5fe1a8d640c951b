import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { shownNumbers } from '../../adapters/file-store.conformance.ts';
import { fileCollections } from '../../adapters/mongo-schema.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { addCrowd, crowdReads } from '../../testing/crowded-markers.ts';
import { describeFileRetention } from '../file-retention.conformance.ts';
import { photoUses } from './mongo-retention-schema.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(fileCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeFileRetention('MongoDB', async () => ({
  ...openMongoStores(opened.database, shownNumbers),
  close: () => opened.clear(),
}));

test('the end of a forecast with own images reads nothing of all the others that have some', async () => {
  const { retention } = openMongoStores(opened.database, shownNumbers);
  await addCrowd(opened.database, 'tnt_1', 'shared');
  const forecast = { tenantId: 'tnt_1', forecastNo: 'F1' };
  const end = { ...forecast, files: [], photos: ['shared', 'own'] };
  await retention.noteImages({ ...forecast, revision: 1, images: ['shared', 'own'] }, 1);
  await retention.noteImages({ ...forecast, revision: 2, images: ['own'] }, 1);
  await retention.noteImages({ ...forecast, revision: 3, images: ['shared'] }, 1);
  await retention.endFiles({ ...end, forecast: 'kept' }, 2);
  await retention.noteImages({ ...forecast, revision: 4, images: ['shared', 'own'] }, 1);
  await retention.endFiles({ ...end, forecast: 'deleted' }, 2);
  await retention.noteImages({ ...forecast, revision: 5, images: ['shared'] }, 3);
  await retention.notePhotos({ ...forecast, photos: ['shared'], report: { warehouseCode: 'W1', eventId: 'e' } });
  const left = opened.database.model(photoUses).collection.countDocuments({ tenant_id: 'tnt_1', forecast_no: 'F1' }, { hint: 'use' });
  expect([await left, await crowdReads(opened.database)]).toEqual([0, []]);
});

test('none of the operations above goes through a whole collection, or sorts what an index has in order', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
  const profile = opened.database.connection.db?.collection('system.profile');
  expect(await profile?.find({ hasSortStage: true }).toArray()).toEqual([]);
});
