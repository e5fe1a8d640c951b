import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { numberSeries } from '@parcelway/store/shared/numbers';
import type { NewFile, NewPhoto } from '../domain/stored-file.ts';
import { newFile, newPhoto, openStores } from '../testing/open-stores.ts';
import type { PdfFindings } from '../uploads/domain/inspected-pdf.ts';
import type { FileStore } from './content-records.ts';

const file = (storageKey: string, md5 = 'aa', sha256 = `sha256 of ${md5}`): NewFile =>
  newFile(storageKey, { storageKey, md5, sha256, name: '清单 ü.pdf' });
const photo = (storageKey: string): NewPhoto => newPhoto(storageKey, { storageKey, md5: 'bb' });

describe('records of contents', () => {
  let stores: ReturnType<typeof openStores>;
  let store: FileStore;
  beforeEach(() => {
    stores = openStores();
    store = stores.store;
  });
  afterEach(() => stores.close());

  const claimed = async (before: number): Promise<string[]> => (await store.claim(before, 10)).map((upload) => upload.storageKey).sort();

  test('records a file and ends its pending upload', async () => {
    await store.begin('tnt_1', 'pdf/a', 1000);
    const { file: recorded, isNew } = await store.recordFile('tnt_1', file('pdf/a'));
    expect([isNew, recorded]).toEqual([true, { ...file('pdf/a'), id: expect.any(Number) }]);
    expect(Math.floor(recorded.id / 1_000_000)).toBe(1);
    expect(await store.findByContent('tnt_1', file('', 'aa'))).toEqual(recorded);
    expect(await store.findByContent('tnt_1', file('', 'none'))).toBeUndefined();
    expect(await store.findByContent('tnt_2', file('', 'aa'))).toBeUndefined();
    expect(await store.fileByToken('token of pdf/a')).toEqual(recorded);
    expect(await claimed(9999)).toEqual([]);
  });

  test('keeps what an inspection found, and nothing of what was not inspected', async () => {
    const findings: PdfFindings = {
      isReadable: true,
      isEncrypted: false,
      pages: 2,
      sizes: [{ width: 102, height: 152 }],
      barcodes: [{ page: 1, format: 'Code128', text: '420\u001d"ü\u0000' }],
      barcodeSearch: 'complete',
    };
    await store.begin('tnt_1', 'pdf/a', 1000);
    await store.begin('tnt_1', 'pdf/b', 1000);
    await store.begin('tnt_1', 'pdf/c', 1000);
    const { file: recorded } = await store.recordFile('tnt_1', { ...file('pdf/a'), findings });
    expect(recorded.findings).toEqual(findings);
    expect((await store.findByContent('tnt_1', file('', 'aa')))?.findings).toEqual(findings);
    expect((await store.fileByToken('token of pdf/a'))?.findings).toEqual(findings);
    expect((await store.recordFile('tnt_1', file('pdf/b'))).file.findings).toEqual(findings);
    await store.recordFile('tnt_1', file('pdf/c', 'cc'));
    expect(await store.fileByToken('token of pdf/c')).toEqual({ ...file('pdf/c', 'cc'), id: expect.any(Number) });
  });

  test('records a photo and ends its pending upload; two with one content are two', async () => {
    await store.begin('WH-1', 'photo/a', 1000);
    await store.begin('WH-1', 'photo/b', 1000);
    const recorded = await store.recordPhoto('WH-1', photo('photo/a'));
    const other = await store.recordPhoto('WH-1', photo('photo/b'));
    expect(recorded).toEqual({ ...photo('photo/a'), id: expect.any(Number) });
    expect(Math.floor(recorded.id / 1_000_000)).toBe(2);
    expect(other.id).not.toBe(recorded.id);
    expect(await store.photoByToken('token of photo/a')).toEqual(recorded);
    expect(await claimed(9999)).toEqual([]);
  });

  test('opens a file only with the token of a file, a photo only with that of a photo', async () => {
    await store.begin('tnt_1', 'pdf/a', 1000);
    await store.begin('WH-1', 'photo/a', 1000);
    await store.recordFile('tnt_1', file('pdf/a'));
    await store.recordPhoto('WH-1', photo('photo/a'));
    expect([await store.photoByToken('token of pdf/a'), await store.fileByToken('token of photo/a')]).toEqual([undefined, undefined]);
    expect([await store.photoByToken(''), await store.fileByToken('')]).toEqual([undefined, undefined]);
  });

  test('continues the stored series of file and photo numbers', async () => {
    for (const [series, last] of [['files', 640] as const, ['photos', 6400] as const])
      await stores.collections.apply([{ in: numberSeries, insert: { series, last } }]);
    for (const key of ['pdf/a', 'photo/a']) await store.begin('tnt_1', key, 1000);
    const recorded = [(await store.recordFile('tnt_1', file('pdf/a'))).file, await store.recordPhoto('tnt_1', photo('photo/a'))];
    expect(recorded.map(({ id }) => id)).toEqual([1_000_641, 2_006_401]);
  });

  test('keeps two contents of one MD5 apart', async () => {
    await store.begin('tnt_1', 'pdf/a', 1000);
    await store.begin('tnt_1', 'pdf/b', 1000);
    const one = await store.recordFile('tnt_1', file('pdf/a', 'aa', 'first'));
    const two = await store.recordFile('tnt_1', file('pdf/b', 'aa', 'second'));
    expect([one.isNew, two.isNew]).toEqual([true, true]);
    expect(await store.findByContent('tnt_1', { md5: 'aa', sha256: 'second' })).toEqual(two.file);
    expect(await store.findByContent('tnt_1', { md5: 'aa', sha256: 'third' })).toBeUndefined();
    expect(await claimed(9999)).toEqual([]);
  });

  test('returns the first of two identical files for the second, and lets the sweep delete the second at any age', async () => {
    await store.begin('tnt_1', 'pdf/a', 1000);
    await store.begin('tnt_1', 'pdf/b', 1000);
    const both = await Promise.all([store.recordFile('tnt_1', file('pdf/a')), store.recordFile('tnt_1', file('pdf/b'))]);
    const winner = both.find(({ isNew }) => isNew)?.file;
    expect(both.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    expect(both.map((response) => response.file)).toEqual([winner, winner]);
    expect(await claimed(0)).toEqual([winner?.storageKey === 'pdf/a' ? 'pdf/b' : 'pdf/a']);
  });

  test('a claimed upload cannot be recorded any more', async () => {
    await store.begin('tnt_1', 'pdf/old', 1000);
    await store.begin('tnt_1', 'pdf/young', 3000);
    await store.begin('WH-1', 'photo/old', 1000);
    expect(await claimed(2000)).toEqual(['pdf/old', 'photo/old']);
    await expect(store.recordFile('tnt_1', file('pdf/old'))).rejects.toMatchObject({ code: '50301' });
    await expect(store.recordPhoto('WH-1', photo('photo/old'))).rejects.toMatchObject({ code: '50301' });
    expect([await store.findByContent('tnt_1', file('', 'aa')), await store.photoByToken('token of photo/old')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await claimed(2000)).toEqual(['pdf/old', 'photo/old']);
    await store.forget('tnt_1', 'pdf/old');
    expect(await claimed(2000)).toEqual(['photo/old']);
    expect((await store.recordFile('tnt_1', file('pdf/young'))).isNew).toBe(true);
  });

  test('an upload that was abandoned cannot be recorded, and one that was recorded cannot be abandoned', async () => {
    await store.begin('tnt_1', 'pdf/a', 1000);
    await store.begin('tnt_1', 'pdf/b', 1000);
    expect(await store.abandon('tnt_1', 'pdf/a')).toBe(true);
    expect(await store.abandon('tnt_1', 'pdf/a')).toBe(true);
    await expect(store.recordFile('tnt_1', file('pdf/a'))).rejects.toMatchObject({ code: '50301' });
    await store.recordFile('tnt_1', file('pdf/b', 'bb'));
    expect(await store.abandon('tnt_1', 'pdf/b')).toBe(false);
    expect(await store.abandon('tnt_2', 'pdf/a')).toBe(false);
    expect(await claimed(0)).toEqual(['pdf/a']);
  });
});
