import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { systemClock } from '@parcelway/kernel/clock';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import type { NewFile } from '../domain/stored-file.ts';
import { deletedForecasts } from '../retention/adapters/mongo-retention-schema.ts';
import { describeDocumentOrders } from './document-orders.conformance.ts';
import { describeDocumentStore } from './document-store.conformance.ts';
import { describeFileStore, shownNumbers } from './file-store.conformance.ts';
import { MongoDocumentOrders } from './mongo-document-orders.ts';
import { MongoDocumentStore } from './mongo-document-store.ts';
import { MongoFileStore } from './mongo-file-store.ts';
import { contents, fileCollections } from './mongo-schema.ts';
import { openMongoStores } from './mongo-stores.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(fileCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeFileStore('MongoDB', async () => ({ store: new MongoFileStore(opened.database, shownNumbers), close: () => opened.clear() }));

describeDocumentStore('MongoDB', async () => {
  const outbox = new MongoOutbox(opened.database, contents);
  return {
    documents: new MongoDocumentStore(opened.database, outbox),
    uploads: new MongoFileStore(opened.database, shownNumbers),
    outbox: async () => (await outbox.lease(10)).map(({ value }) => value),
    close: () => opened.clear(),
  };
});

describe('a message about documents', () => {
  const TENANT = 'tnt_1';
  const documentsOf = (version: number) => ({
    forecastNo: 'FC1',
    version,
    storageKey: `document/${version}`,
    labelToken: `label ${version}`,
    slipToken: `slip ${version}`,
    labelEnd: 1,
    copiesEnd: null,
    slipStart: 1,
    size: 2,
    generatedAt: Date.now(),
  });
  /** The stores of a process whose relay runs, which record versions. */
  async function openRelayed() {
    const { store, documents, outbox } = openMongoStores(opened.database, shownNumbers, systemClock);
    await outbox.lease(1);
    const record = async (version: number): Promise<boolean> => {
      await store.begin(TENANT, `document/${version}`, 1);
      return documents.recordDocuments(TENANT, documentsOf(version), { topic: 't', key: 'k', value: `v${version}` });
    };
    return { store, outbox, record };
  }
  const contentsOf = (filter: object) => opened.database.model(contents).collection.find(filter).toArray();
  const WAITING = { outbox_due: { $exists: true } };
  const valuesOf = (messages: readonly { readonly value: string }[]) => messages.map(({ value }) => value);
  afterEach(() => opened.clear());

  test('is given to the relay of the process that records them, and leaves nothing behind', async () => {
    const { outbox, record } = await openRelayed();
    await record(1);
    expect(await contentsOf({ ...WAITING, outbox_lease: { $exists: true } })).toHaveLength(1);
    const leased = await outbox.lease(10);
    expect(valuesOf(leased)).toEqual(['v1']);
    await outbox.remove(leased.map(({ id }) => id));
    await outbox.settle();
    expect(await contentsOf(WAITING)).toEqual([]);
    expect(await outbox.lease(10)).toEqual([]);
  });

  test('is dropped when a newer version was recorded before, or the forecast was deleted meanwhile', async () => {
    const { outbox, record } = await openRelayed();
    await record(2);
    await record(1);
    expect(valuesOf(await outbox.lease(10))).toEqual(['v2']);
    expect(await contentsOf({ ...WAITING, version: 1 })).toEqual([]);
    await opened.database.model(deletedForecasts).collection.insertOne({ tenant_id: TENANT, forecast_no: 'FC1', deleted_at: 1 });
    expect(await record(3)).toBe(false);
    expect(await contentsOf(WAITING)).toEqual([]);
  });

  test('is published by the next process when this one stops before it is given to the relay', async () => {
    const { outbox, record } = await openRelayed();
    const recording = record(1);
    await outbox.flush();
    await recording;
    await outbox.flush();
    const other = await openRelayed();
    expect(valuesOf(await other.outbox.lease(10))).toEqual(['v1']);
  });

  test('is published once it is known that the record is there', async () => {
    const { outbox, store, record } = await openRelayed();
    const { collection } = opened.database.model(contents);
    const updateOne = jest.spyOn(collection, 'updateOne').mockImplementationOnce(async (...given) => {
      await Object.getPrototypeOf(collection).updateOne.apply(collection, given);
      throw AppError.unavailable('the response was lost');
    });
    try {
      await expect(record(1)).rejects.toMatchObject({ code: '50301' });
    } finally {
      updateOne.mockRestore();
    }
    expect(valuesOf(await outbox.lease(10))).toEqual(['v1']);
    expect(await store.abandon(TENANT, 'document/1')).toBe(false);
  });
});

describeDocumentOrders('MongoDB', async () => ({ orders: new MongoDocumentOrders(opened.database), close: () => opened.clear() }));

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
    'find contents by recorded, slip_token',
    'find contents by recorded, token',
    'find contents by superseded_at',
    'find contents by sweep_from',
    'find document_orders by due_at, tenant_id',
    'updateMany contents by _id',
    'updateMany contents by _id, superseded_at',
    'updateMany contents by _id, sweep_from',
  ]);
});

test('a database of the former version is migrated, by several processes at once: old files stay, contents of one MD5 may differ', async () => {
  const replicas = [opened.database, await opened.second(), await opened.second(), await opened.second()];
  const { collection } = opened.database.model(contents);
  const formerIndex = { name: 'pdf_of_content', unique: true, partialFilterExpression: { recorded: 'pdf' } };
  for (let round = 0; round < 5; round += 1) {
    await collection.dropIndex('pdf_of_digests');
    await collection.createIndex({ owner_id: 1, md5: 1 }, formerIndex);
    const { sha256: _, ...old } = file(`pdf/former${round}`, `md5 of ${round}`);
    const { storageKey, uploadedAt, ...rest } = old;
    await collection.insertOne({
      ...rest,
      owner_id: 'tnt_f',
      storage_key: storageKey,
      uploaded_at: uploadedAt,
      recorded: 'pdf',
      number: round,
    });
    await Promise.all(replicas.map((replica) => replica.migrate(fileCollections)));
    expect((await collection.indexes()).map(({ name }) => name)).not.toContain('pdf_of_content');
    expect(await opened.database.missing(fileCollections)).toEqual([]);
  }
  const store = new MongoFileStore(opened.database, shownNumbers);
  expect(await store.fileByToken('token of pdf/former0')).toMatchObject({ id: 0, sha256: '' });
  await store.begin('tnt_f', 'pdf/new', 1);
  expect(await store.recordFile('tnt_f', file('pdf/new', 'md5 of 0'))).toMatchObject({ isNew: true });
});
