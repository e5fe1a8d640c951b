import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeDocumentRecords } from '../documents/adapters/document-records.conformance.ts';
import { MongoDocuments } from '../documents/adapters/mongo-documents.ts';
import type { NewFile } from '../domain/stored-file.ts';
import { describeFileStore, shownNumbers } from './file-store.conformance.ts';
import { MongoFileStore } from './mongo-file-store.ts';
import { fileCollections } from './mongo-schema.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(fileCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeFileStore('MongoDB', async () => ({ store: new MongoFileStore(opened.database, shownNumbers), close: () => opened.clear() }));

describeDocumentRecords('MongoDB', async () => ({
  documents: new MongoDocuments(opened.database),
  uploads: new MongoFileStore(opened.database, shownNumbers),
  close: () => opened.clear(),
}));

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
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});

test('every operation names the shard key, but for those over all owners', async () => {
  expect(await broadcastsOf(opened.database, fileCollections)).toEqual([
    'find contents by _id, sweep_from',
    'find contents by recorded, token',
    'find contents by sweep_from',
    'updateMany contents by _id, sweep_from',
  ]);
});
