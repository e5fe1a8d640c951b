import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openFilesystemBlobs } from '@parcelway/blobs/filesystem-driver';
import { dumpOf } from '@parcelway/mongo/testing/mongo-dump';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { shownNumbers } from '../../adapters/file-store.conformance.ts';
import { fileCollections } from '../../adapters/mongo-schema.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { addCrowd, crowdReads } from '../../testing/crowded-markers.ts';
import { createMongoTenantData } from './mongo-tenant-data.ts';
import { describeFileTenantData } from './tenant-data.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(fileCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeFileTenantData('MongoDB', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'file-tenant-data-'));
  const blobs = await openFilesystemBlobs(directory);
  return {
    ...openMongoStores(opened.database, shownNumbers),
    blobs,
    data: createMongoTenantData(opened.database, blobs),
    dump: () => dumpOf(opened.database, fileCollections),
    async close() {
      await opened.clear();
      await blobs.close();
      rmSync(directory, { recursive: true });
    },
  };
});

test('the erasure of a tenant with own images reads nothing of all the others that have some', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'file-tenant-data-'));
  const blobs = await openFilesystemBlobs(directory);
  const { retention } = openMongoStores(opened.database, shownNumbers);
  await addCrowd(opened.database, 'tnt_another', 'shared');
  await retention.noteImages({ tenantId: 'tnt_1', forecastNo: 'F1', revision: 1, images: ['shared', 'own'] }, 1);
  const { kinds, photos } = createMongoTenantData(opened.database, blobs);
  await photos.erasePhotos('tnt_1', ['shared']);
  expect(await kinds.find(({ name }) => name === 'photo_uses')?.erase?.('tnt_1')).toBe(3);
  expect(await crowdReads(opened.database)).toEqual([]);
  await opened.clear();
  await blobs.close();
  rmSync(directory, { recursive: true });
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
