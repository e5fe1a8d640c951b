import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openFilesystemBlobs } from '@parcelway/blobs/filesystem-driver';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { dumpOf } from '@parcelway/mongo/testing/mongo-dump';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeDocumentRecords } from '../documents/adapters/document-records.conformance.ts';
import type { NewFile } from '../domain/stored-file.ts';
import { createMongoTenantData } from '../erasure/adapters/mongo-tenant-data.ts';
import { describeFileTenantData } from '../erasure/adapters/tenant-data.conformance.ts';
import { photoUses } from '../retention/adapters/mongo-retention-schema.ts';
import { describeFileRetention } from '../retention/file-retention.conformance.ts';
import { describeStoredContents } from '../storage/stored-contents.conformance.ts';
import { describeOwnFiles } from '../uploads/own-files.conformance.ts';
import { describeFileStore, shownNumbers } from './file-store.conformance.ts';
import { MongoFileStore } from './mongo-file-store.ts';
import { fileCollections } from './mongo-schema.ts';
import { openMongoStores } from './mongo-stores.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(fileCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

async function openStores() {
  const stores = openMongoStores(opened.database, shownNumbers);
  return { ...stores, uploads: stores.store, close: () => opened.clear() };
}

async function openWithBlobs() {
  const directory = mkdtempSync(join(tmpdir(), 'file-tenant-data-'));
  const blobs = await openFilesystemBlobs(directory);
  return {
    ...(await openStores()),
    blobs,
    data: createMongoTenantData(opened.database, blobs),
    dump: () => dumpOf(opened.database, fileCollections),
    async close() {
      await opened.clear();
      await blobs.close();
      rmSync(directory, { recursive: true });
    },
  };
}

describeFileStore('MongoDB', openStores);
describeDocumentRecords('MongoDB', openStores);

const file = (storageKey: string, md5: string): NewFile => ({
  storageKey,
  md5,
  sha256: `sha256 of ${md5}`,
  token: `token of ${storageKey}`,
  name: 'a.pdf',
  size: 3,
  findings: undefined,
  uploadedAt: 1,
});

async function openReplicas(): Promise<MongoFileStore[]> {
  return [opened.database, await opened.second(), await opened.second()].map((database) => new MongoFileStore(database, shownNumbers));
}

test('of identical files that replicas record at the same time one is kept, and all get it', async () => {
  const replicas = await openReplicas();
  const keys = Array.from({ length: 30 }, (_, index) => `pdf/${index}`);
  const responses = await Promise.all(
    keys.map(async (key, index) => {
      const store = replicas[index % replicas.length] as MongoFileStore;
      await store.begin('tnt_1', key, 1);
      return store.recordFile('tnt_1', file(key, 'same'));
    }),
  );
  expect(responses.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(responses.map((response) => response.file.id)).size).toBe(1);
  expect(await (replicas[0] as MongoFileStore).claim(0, 100)).toHaveLength(29);
});

test('numbers of files are given once over all replicas', async () => {
  const replicas = await openReplicas();
  const responses = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const store = replicas[index % replicas.length] as MongoFileStore;
      await store.begin('tnt_2', `pdf/n${index}`, 1);
      return store.recordFile('tnt_2', file(`pdf/n${index}`, `md5 ${index}`));
    }),
  );
  expect(new Set(responses.map((response) => response.file.id)).size).toBe(60);
});

test('an upload is either recorded or abandoned, whoever comes first', async () => {
  const replicas = await openReplicas();
  const [one, two] = replicas as [MongoFileStore, MongoFileStore];
  for (let index = 0; index < 20; index += 1) {
    const key = `pdf/r${index}`;
    await one.begin('tnt_3', key, 1);
    const [recorded, abandoned] = await Promise.all([
      one.recordFile('tnt_3', file(key, `md5 r${index}`)).then(
        () => true,
        () => false,
      ),
      two.abandon('tnt_3', key),
    ]);
    expect(recorded).toBe(!abandoned);
  }
  await opened.clear();
});

describeOwnFiles('MongoDB', openStores);
describeFileRetention('MongoDB', openStores);
describeStoredContents('MongoDB', openStores);
describeFileTenantData('MongoDB', openWithBlobs);

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
  await opened.clear();
});

test('the erasure of a tenant with own images reads nothing of all the others that have some', async () => {
  const { retention, data, close } = await openWithBlobs();
  await addCrowd(opened.database, 'tnt_another', 'shared');
  await retention.noteImages({ tenantId: 'tnt_1', forecastNo: 'F1', revision: 1, images: ['shared', 'own'] }, 1);
  const { kinds, photos } = data;
  await photos.erasePhotos('tnt_1', ['shared']);
  expect(await kinds.find(({ name }) => name === 'photo_uses')?.erase?.('tnt_1')).toBe(3);
  expect(await crowdReads(opened.database)).toEqual([]);
  await close();
});

test('a page is read from its index alone, and the next tenant with a step or two', async () => {
  const profile = opened.database.connection.db?.collection('system.profile');
  const reads = (await profile?.find({ 'command.hint': { $in: ['stored_pdfs', 'stored_photos'] } }).toArray()) ?? [];
  expect(reads.filter((read) => read['nreturned'] > 0).length).toBeGreaterThan(10);
  for (const read of reads) {
    expect([read['docsExamined'], read['hasSortStage'] ?? false]).toEqual([0, false]);
    expect(read['keysExamined']).toBeLessThanOrEqual(read['nreturned'] + 2);
  }
  const skips = (await profile?.find({ 'command.find': 'usage_days', 'command.hint': 'day' }).toArray()) ?? [];
  expect(skips.length).toBeGreaterThan(3);
  for (const skip of skips) expect([skip['docsExamined'], skip['keysExamined'] <= 2]).toEqual([0, true]);
});

test('no operation above scans a whole collection, or sorts uses that an index has in order', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
  const profile = opened.database.connection.db?.collection('system.profile');
  expect(await profile?.find({ ns: /_uses$|deleted_forecasts$/, hasSortStage: true }).toArray()).toEqual([]);
});

test('every operation names the shard key, except those over all owners, of a token, or by keys that were read before', async () => {
  expect(await broadcastsOf(opened.database, fileCollections)).toEqual([
    'deleteMany contents by _id',
    'deleteMany deleted_forecasts by _id',
    'deleteMany file_uses by _id',
    'deleteMany idempotency_keys by _id',
    'deleteMany photo_uses by _id',
    'deleteMany usage_days by _id',
    'find contents by _id, sweep_from',
    'find contents by owner_id, recorded',
    'find contents by recorded, token',
    'find contents by sweep_from',
    'find contents by unused_since',
    'find deleted_forecasts by deleted_at',
    'find photo_uses by $or(forecast_no | tenant_id), token',
    'find photo_uses by tenant_id, token',
    'find photo_uses by token',
    'find usage_days by tenant_id',
    'updateMany contents by _id, sweep_from',
    'updateMany contents by recorded, token',
    'updateOne contents by _id, recorded',
    'updateOne contents by _id, recorded, unused_since',
  ]);
});

/** Many more than any operation on one forecast may read. */
const MANY = 1500;
const MOST_READ = 100;

/**
 * Writes what many forecasts have noted, every second one of `tenantId`, the others of other tenants: the marker of their own images, and the use of a photo.
 * @param token of the photo that all of these forecasts have
 */
export async function addCrowd(db: MongoDatabase, tenantId: string, token: string): Promise<void> {
  const uses = Array.from({ length: MANY }, (_, index) => {
    const use = { tenant_id: index % 2 === 0 ? tenantId : `tnt_many_${index}`, forecast_no: `many ${index}` };
    return [
      { ...use, token: '', revision: 1 },
      { ...use, token, revision: 1 },
    ];
  });
  await db.model(photoUses).collection.insertMany(uses.flat());
}

interface Profiled {
  readonly op: string;
  readonly command: { readonly filter?: object; readonly q?: object };
  readonly keysExamined?: number;
  readonly docsExamined?: number;
}

/** Operations since the start of the profile that read far more uses of photos than one forecast has. Empty when there was none. */
export async function crowdReads(db: MongoDatabase): Promise<readonly string[]> {
  const connected = db.connection.db;
  const read = { $or: [{ keysExamined: { $gt: MOST_READ } }, { docsExamined: { $gt: MOST_READ } }] };
  if (connected === undefined) throw new Error('The database is not connected');
  // A suite empties its collections by an empty filter.
  const filter = { ns: `${connected.databaseName}.${photoUses.name}`, 'command.q': { $ne: {} }, ...read };
  const found = await connected.collection<Profiled>('system.profile').find(filter).toArray();
  return found.map(({ op, command, keysExamined }) => `${op} ${keysExamined}: ${JSON.stringify(command.filter ?? command.q)}`);
}
