import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { openMongoStore } from '@parcelway/platform/open-mongo-store';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { fileCollections } from '../collections.ts';
import type { NewFile } from '../domain/stored-file.ts';
import { shownNumbers } from '../testing/open-stores.ts';
import { createFileStores, type FileStores } from './open-file-stores.ts';

let opened: TestDatabase;
let replicas: readonly [FileStores, FileStores, FileStores];
beforeAll(async () => {
  opened = await openTestDatabase(fileCollections.map(mongoCollection));
  const open = (database: TestDatabase['database']): FileStores =>
    createFileStores(openMongoStore(database, fileCollections), shownNumbers);
  replicas = [open(opened.database), open(await opened.second()), open(await opened.second())];
});
afterEach(() => opened.clear());
afterAll(() => opened.close());

const TENANT = 'tnt_1';
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
async function upload({ store }: FileStores, storageKey: string, md5 = storageKey) {
  await store.begin(TENANT, storageKey, 1);
  return store.recordFile(TENANT, file(storageKey, md5));
}
const uses = ({ retention }: FileStores, forecastNo: string, ...keys: readonly string[]) => {
  const files = keys.map((key) => ({ token: `token of ${key}`, fields: ['shipping_label'] }));
  return retention.noteUses({ tenantId: TENANT, forecastNo, poNumber: 'PO', version: 1, files }, 1);
};
const end = ({ retention }: FileStores, forecastNo: string) =>
  retention.endFiles({ tenantId: TENANT, forecastNo, files: [], photos: [], forecast: 'deleted' }, 5000);

test('of identical files that replicas record at the same time one is kept, and all get it', async () => {
  const keys = Array.from({ length: 30 }, (_, index) => `pdf/${index}`);
  const responses = await Promise.all(keys.map((key, index) => upload(replicas[index % 3] as FileStores, key, 'same')));
  expect(responses.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(responses.map((response) => response.file.id)).size).toBe(1);
  expect(await replicas[0].store.claim(0, 100)).toHaveLength(29);
});

test('an upload is either recorded or abandoned, whoever comes first', async () => {
  const [one, two] = replicas;
  for (let index = 0; index < 20; index += 1) {
    const key = `pdf/${index}`;
    await one.store.begin(TENANT, key, 1);
    const [recorded, abandoned] = await Promise.all([
      one.store.recordFile(TENANT, file(key, key)).then(
        () => true,
        () => false,
      ),
      two.store.abandon(TENANT, key),
    ]);
    expect(recorded).toBe(!abandoned);
  }
});

test('a deletion and forecasts of several replicas at the same moment never leave a forecast without its file', async () => {
  const [one, two, three] = replicas;
  for (let index = 0; index < 10; index += 1) {
    const key = `pdf/${index}`;
    const { file: uploaded } = await upload(one, key);
    await Promise.all([
      one.ownFiles.hide(TENANT, uploaded.id, 9000),
      uses(two, `F${index}`, key),
      uses(three, `G${index}`, key),
      end(one, `G${index}`),
    ]);
    expect(await one.store.fileByToken(`token of ${key}`)).toBeDefined();
  }
  expect((await one.ownFiles.list(TENANT, { limit: 100, isUsed: true })).files).toHaveLength(10);
  expect(await one.retention.retireUnused(99_000, 100)).toBe(0);
});

test('a file of forecasts that end at the same moment is unused from then on', async () => {
  const [one, two, three] = replicas;
  for (let index = 0; index < 10; index += 1) {
    await upload(one, `pdf/${index}`);
    await Promise.all(['F', 'G', 'H'].map((mark) => uses(one, `${mark}${index}`, `pdf/${index}`)));
    await Promise.all([end(one, `F${index}`), end(two, `G${index}`), end(three, `H${index}`)]);
  }
  expect((await one.ownFiles.list(TENANT, { limit: 100, isUsed: true })).files).toEqual([]);
  expect(await one.retention.retireUnused(5001, 100)).toBe(10);
});

test('documents that are recorded at the moment when another replica hears that their forecast was deleted do not stay', async () => {
  const [one, two] = replicas;
  const sections = { labelEnd: 1, copiesEnd: null, slipStart: 1, size: 2, generatedAt: 1 };
  for (let index = 0; index < 20; index += 1) {
    const [forecastNo, storageKey] = [`F${index}`, `document/${index}`];
    await one.store.begin(TENANT, storageKey, 1);
    await Promise.all([one.documents.recordDocuments(TENANT, { forecastNo, version: 1, storageKey, ...sections }), end(two, forecastNo)]);
    expect(await one.documents.findDocuments(TENANT, forecastNo, 1)).toBeUndefined();
  }
});
