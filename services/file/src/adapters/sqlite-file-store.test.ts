import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fullScansOf } from '@parcelway/sqlite/full-scans';

import { SqliteFileStore } from './sqlite-file-store.ts';

let db: SqliteDatabase;
let store: SqliteFileStore;
beforeEach(() => {
  db = new SqliteDatabase(':memory:');
  store = new SqliteFileStore(db);
});
const scans = new Set<string>();
afterEach(() => {
  // Uploads under way: a handful.
  for (const scan of fullScansOf(db, ['FROM pending_uploads'])) scans.add(scan);
  db.close();
});

const file = (storageKey: string, md5 = 'aa') => ({
  storageKey,
  md5,
  token: `token of ${storageKey}`,
  name: 'a.pdf',
  size: 3,
  uploadedAt: 1000,
});
const claimed = async (before: number) => (await store.claim(before, 10)).map((upload) => upload.storageKey).sort();

test('records a file and ends its pending upload', async () => {
  await store.begin('tnt_1', 'pdf/a', 1000);
  const { file: recorded, isNew } = await store.recordFile('tnt_1', file('pdf/a'));
  expect([isNew, recorded]).toEqual([true, { ...file('pdf/a'), id: expect.any(Number) }]);
  expect(store.findByContent('tnt_1', 'aa')).toEqual(recorded);
  expect(store.findByContent('tnt_2', 'aa')).toBeUndefined();
  expect(store.fileByToken('token of pdf/a')).toEqual(recorded);
  expect(await claimed(9999)).toEqual([]);
});

test('answers the second of two identical files with the first, and gives the loser to the sweep at any age', async () => {
  await store.begin('tnt_1', 'pdf/a', 1000);
  await store.begin('tnt_1', 'pdf/b', 1000);
  const [one, two] = await Promise.all([store.recordFile('tnt_1', file('pdf/a')), store.recordFile('tnt_1', file('pdf/b'))]);
  expect(one.isNew).toBe(true);
  expect(two).toEqual({ file: one.file, isNew: false });
  expect(await claimed(0)).toEqual(['pdf/b']);
});

test('a claimed upload cannot be recorded any more', async () => {
  await store.begin('tnt_1', 'pdf/old', 1000);
  await store.begin('tnt_1', 'pdf/young', 3000);
  await store.begin('WH-1', 'photo/old', 1000);
  expect(await claimed(2000)).toEqual(['pdf/old', 'photo/old']);
  await expect(store.recordFile('tnt_1', file('pdf/old'))).rejects.toMatchObject({ code: '50301' });
  const photo = { storageKey: 'photo/old', token: 't', mediaType: 'image/png', md5: 'bb', size: 1, uploadedAt: 1 } as const;
  await expect(store.recordPhoto('WH-1', photo)).rejects.toMatchObject({ code: '50301' });
  expect([store.findByContent('tnt_1', 'aa'), store.photoByToken('t')]).toEqual([undefined, undefined]);
  expect(await claimed(2000)).toEqual(['pdf/old', 'photo/old']);
  await store.forget('tnt_1', 'pdf/old');
  expect(await claimed(2000)).toEqual(['photo/old']);
});

test('none of the statements above goes through a whole table', () => {
  expect([...scans]).toEqual([]);
});
