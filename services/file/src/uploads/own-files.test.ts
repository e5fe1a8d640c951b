import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_SHOWN_USES } from '@parcelway/contracts/own-files-api';
import type { FileStore } from '../contents/content-records.ts';
import type { NewFile, StoredFile } from '../domain/stored-file.ts';
import type { FileRetention } from '../retention/file-retention.ts';
import { newFile, newPhoto, openStores } from '../testing/open-stores.ts';
import type { FileQuery, OwnFiles } from './own-files.ts';

const TENANT = 'tnt_1';
const DAY_MS = 86_400_000;
const file = (name: string, uploadedAt = 1000, token = `token of ${name}`): NewFile =>
  newFile(name, { uploadedAt, token, storageKey: `pdf/${token}` });

describe('own files', () => {
  let stores: ReturnType<typeof openStores>;
  let own: OwnFiles;
  let retention: FileRetention;
  let store: FileStore;
  beforeEach(() => {
    stores = openStores();
    ({ ownFiles: own, retention, store } = stores);
  });
  afterEach(() => stores.close());

  async function upload(added: NewFile, tenantId = TENANT): Promise<StoredFile> {
    await store.begin(tenantId, added.storageKey, 1);
    return (await store.recordFile(tenantId, added)).file;
  }
  const uses = (forecastNo: string, fields: Readonly<Record<string, readonly string[]>>, version = 1) => {
    const files = Object.entries(fields).map(([one, names]) => ({ token: `token of ${one}`, fields: names }));
    return retention.noteUses({ tenantId: TENANT, forecastNo, poNumber: `PO ${forecastNo}`, version, files }, 1);
  };
  const usersOf = async (one: string) => (await own.usesOf(TENANT, `token of ${one}`)).uses.map(({ forecastNo }) => forecastNo);
  const names = async (query: Partial<FileQuery> = {}) =>
    (await own.list(TENANT, { limit: 10, ...query })).files.map((listed) => listed.name.replace('.pdf', ''));
  const end = (forecastNo: string) =>
    retention.endFiles({ tenantId: TENANT, forecastNo, files: [], photos: [], forecast: 'deleted' }, 5000);
  const isOpen = async (one: string) => (await store.fileByToken(`token of ${one}`)) !== undefined;

  test('lists the files of a tenant, newest first, and finds them by their numbers', async () => {
    const older = await upload(file('a', 1000));
    await upload(file('c', 2000));
    await upload(file('b', 2000));
    const theirs = await upload(file('a', 3000, 'token of theirs'), 'tnt_2');
    expect(await names()).toEqual(['c', 'b', 'a']);
    expect(await names({ limit: 1 })).toEqual(['c']);
    const { next: behindFirst } = await own.list(TENANT, { limit: 1 });
    const { next: behindSecond } = await own.list(TENANT, { limit: 1, after: behindFirst as string });
    expect(await names({ after: behindFirst as string })).toEqual(['b', 'a']);
    expect(await names({ after: behindSecond as string, uploadedTo: 9000 })).toEqual(['a']);
    expect(await names({ after: behindSecond as string, isUsed: false })).toEqual(['a']);
    expect([await names({ uploadedFrom: 2000 }), await names({ uploadedTo: 2000 })]).toEqual([['c', 'b'], ['a']]);
    expect(await names({ uploadedFrom: 1001, uploadedTo: 2000 })).toEqual([]);
    expect(await own.find(TENANT, older.id)).toEqual(older);
    expect([await own.find(TENANT, theirs.id), await own.find(TENANT, 0), await own.find('tnt_2', older.id)]).toEqual(
      Array(3).fill(undefined),
    );
  });

  test('knows which forecasts name a file, and by which fields', async () => {
    for (const one of ['a', 'b']) await upload(file(one));
    await uses('F1', { a: ['shipping_label', 'shipping_note'] });
    await uses('F2', { a: ['shipping_note'], b: ['shipping_label'], none: ['shipping_note'] });
    await uses('F2', { a: ['shipping_note'], b: ['shipping_label'], none: ['shipping_note'] });
    expect(await own.usesOf(TENANT, 'token of a')).toEqual({
      uses: [
        { forecastNo: 'F2', poNumber: 'PO F2', fields: ['shipping_note'] },
        { forecastNo: 'F1', poNumber: 'PO F1', fields: ['shipping_label', 'shipping_note'] },
      ],
      count: 2,
    });
    expect(await own.usesOf('tnt_2', 'token of a')).toEqual({ uses: [], count: 0 });
  });

  test('shows the newest of many uses, and counts all', async () => {
    await upload(file('a'));
    const count = MAX_SHOWN_USES + 3;
    for (let no = 1; no <= count; no += 1) await uses(`F${String(no).padStart(2, '0')}`, { a: ['shipping_label'] });
    const found = await own.usesOf(TENANT, 'token of a');
    expect([found.uses.length, found.uses[0]?.forecastNo, found.count]).toEqual([MAX_SHOWN_USES, `F${count}`, count]);
  });

  test('follows corrections, cancellations and deletions, each once and in the order of the versions', async () => {
    for (const one of ['a', 'b']) await upload(file(one));
    await uses('F1', { a: ['shipping_label'] });
    await uses('F1', { b: ['shipping_label'] }, 2);
    await uses('F1', { a: ['shipping_label'] }, 1);
    expect([await usersOf('a'), await usersOf('b')]).toEqual([[], ['F1']]);
    expect([await names({ isUsed: true }), await names({ isUsed: false })]).toEqual([['b'], ['a']]);
    await uses('F1', {}, 3);
    await uses('F1', { b: ['shipping_label'] }, 2);
    expect([await usersOf('b'), await names({ isUsed: true })]).toEqual([[], []]);
    await uses('F2', { a: ['shipping_label'] });
    await retention.noteCancelled(TENANT, 'F2', 1);
    await retention.noteCancelled(TENANT, 'F2', 1);
    await uses('F2', { a: ['shipping_label'] });
    expect([await usersOf('a'), await names({ isUsed: true })]).toEqual([[], []]);
    // What is heard of a forecast behind its cancellation or a later version.
    await retention.noteCancelled(TENANT, 'F3', 1);
    await uses('F3', { a: ['shipping_label'] });
    await uses('F4', {}, 2);
    await uses('F4', { a: ['shipping_label'] });
    await uses('F5', { a: ['shipping_label'] });
    expect([await usersOf('a'), await names({ isUsed: true })]).toEqual([['F5'], ['a']]);
    await end('F5');
    await uses('F5', { a: ['shipping_label'] });
    await retention.noteCancelled(TENANT, 'F5', 1);
    expect([await usersOf('a'), await names({ isUsed: true })]).toEqual([[], []]);
  });

  test('a deleted file is hidden at once, and its content goes after its time, with what a cancelled forecast says of it', async () => {
    const { id } = await upload(file('a'));
    await uses('F1', { a: ['shipping_label'] });
    await retention.noteCancelled(TENANT, 'F1', 1);
    expect([await own.hide('tnt_2', id, 9000), await own.hide(TENANT, id, 9000), await own.hide(TENANT, id, 9500)]).toEqual([
      'missing',
      'hidden',
      'hidden',
    ]);
    expect([await isOpen('a'), await own.find(TENANT, id), await names(), await names({ isUsed: false })]).toEqual([
      false,
      undefined,
      [],
      [],
    ]);
    expect(await store.findByContent(TENANT, file('a'))).toBeUndefined();
    expect((await store.fileByToken('token of a', 'all'))?.id).toBe(id);
    await end('F1');
    expect([await retention.retireUnused(9000, 10), await retention.retireUnused(9001, 10)]).toEqual([0, 1]);
    expect(await store.fileByToken('token of a', 'all')).toBeUndefined();
    expect((await store.claim(0, 10)).map(({ storageKey }) => storageKey)).toEqual(['pdf/token of a']);
    expect(await own.hide(TENANT, id, 9600)).toBe('missing');
  });

  test('an upload that is noted when its file has been deleted meanwhile does not keep the file for ever', async () => {
    const { id, token } = await upload(file('a'));
    await own.hide(TENANT, id, 9000);
    await retention.noteUpload(TENANT, token);
    expect([await retention.retireUnused(9000, 10), await retention.retireUnused(9001, 10)]).toEqual([0, 1]);
    expect(await store.fileByToken(token, 'all')).toBeUndefined();
  });

  test('the content of a deleted file can be uploaded again, as another file', async () => {
    const first = await upload(file('a'));
    await own.hide(TENANT, first.id, 9000);
    const second = await upload(file('a', 9500, 'another token'));
    expect(second.id).not.toBe(first.id);
    expect((await store.findByContent(TENANT, file('a')))?.id).toBe(second.id);
    // A forecast that was on its way names the first one: both are there, and the second stays the one that an upload finds.
    await uses('F1', { a: ['shipping_label'] });
    expect([await isOpen('a'), (await store.findByContent(TENANT, file('a')))?.id]).toEqual([true, second.id]);
    expect((await own.list(TENANT, { limit: 10 })).files.map(({ id }) => id)).toEqual([second.id, first.id]);
    await retention.noteCancelled(TENANT, 'F1', 1);
    expect(await own.hide(TENANT, first.id, 9700)).toBe('hidden');
  });

  test('a forecast that was on its way brings a deleted file back', async () => {
    const { id } = await upload(file('a'));
    await own.hide(TENANT, id, 9000);
    await uses('F1', { a: ['shipping_label'] });
    expect([await isOpen('a'), await names({ isUsed: true })]).toEqual([true, ['a']]);
    expect((await store.findByContent(TENANT, file('a')))?.id).toBe(id);
    expect(await retention.retireUnused(99_000, 10)).toBe(0);
  });

  test('a deletion and a forecast at the same moment never leave a forecast without its file', async () => {
    const all = Array.from({ length: 20 }, (_, index) => `f${index}`);
    for (const one of all) {
      const { id } = await upload(file(one));
      const [outcome] = await Promise.all([own.hide(TENANT, id, 9000), uses(`F ${one}`, { [one]: ['shipping_label'] })]);
      expect(['hidden', 'used']).toContain(outcome);
    }
    expect(await Promise.all(all.map(isOpen))).toEqual(all.map(() => true));
    expect((await own.list(TENANT, { limit: 100, isUsed: true })).files).toHaveLength(all.length);
    expect(await retention.retireUnused(99_000, 100)).toBe(0);
  });

  const images = (forecastNo: string, revision: number, ...list: readonly string[]) =>
    retention.noteImages({ tenantId: TENANT, forecastNo, revision, images: list.map((one) => `token of ${one}`) }, 7000);
  async function takeImages(...list: readonly string[]): Promise<void> {
    for (const one of list) {
      await store.begin(TENANT, `photo/${one}`, 1);
      await store.recordImage(TENANT, newPhoto(one), 5000);
    }
  }
  const hasImage = async (one: string) => (await store.photoByToken(`token of ${one}`)) !== undefined;

  test('an image that is never put on a forecast ends, one that is stays', async () => {
    await takeImages('i', 'j');
    await images('F1', 1, 'i');
    expect([await retention.retireUnused(5000, 10), await retention.retireUnused(5001, 10)]).toEqual([0, 1]);
    expect([await hasImage('i'), await hasImage('j')]).toEqual([true, false]);
    expect((await store.claim(0, 10)).map(({ storageKey }) => storageKey)).toEqual(['photo/j']);
  });

  test('an image that was taken from its last forecast ends after its time; an older list has no effect', async () => {
    await takeImages('i', 'j');
    await images('F1', 1, 'i', 'j');
    await images('F2', 1, 'j');
    await images('F1', 3);
    await images('F1', 2, 'i', 'j');
    await images('F1', 3);
    expect(await retention.retireUnused(7000 + 30 * DAY_MS, 10)).toBe(0);
    expect(await retention.retireUnused(7001 + 30 * DAY_MS, 10)).toBe(1);
    expect([await hasImage('i'), await hasImage('j')]).toEqual([false, true]);
  });

  test('images end with the last forecast that has them, and at once when it was deleted before', async () => {
    await takeImages('i', 'j', 'k');
    await images('F1', 1, 'i', 'j');
    await images('F2', 1, 'j');
    await end('F1');
    expect([await hasImage('i'), await hasImage('j')]).toEqual([false, true]);
    await images('F1', 2, 'k');
    expect(await hasImage('k')).toBe(false);
    await end('F2');
    expect(await hasImage('j')).toBe(false);
  });
});
