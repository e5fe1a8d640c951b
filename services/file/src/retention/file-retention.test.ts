import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { cleanUpSteps } from '@parcelway/platform/policies/clean-up';
import type { FileStore } from '../contents/content-records.ts';
import type { StoredFile } from '../domain/stored-file.ts';
import { newFile, newPhoto, openStores } from '../testing/open-stores.ts';
import { notingUploads } from '../uploads/upload-pdf.ts';
import type { PhotoLinks } from './decide-files.ts';
import type { FileRetention } from './file-retention.ts';
import { forecastFiles } from './forecast-files-collection.ts';

const TENANT = 'tnt_1';

describe('retention of files', () => {
  let stores: ReturnType<typeof openStores>;
  let retention: FileRetention;
  let store: FileStore;
  beforeEach(() => {
    stores = openStores();
    ({ retention, store } = stores);
  });
  afterEach(() => stores.close());

  async function upload(name: string): Promise<StoredFile> {
    await store.begin(TENANT, `pdf/${name}`, 1);
    return (await store.recordFile(TENANT, newFile(name))).file;
  }
  const end = (forecastNo: string, files: readonly string[], photos: readonly string[] = [], now = 5000) =>
    retention.endFiles({ tenantId: TENANT, forecastNo, files, photos, forecast: 'deleted' }, now);
  const uses = (forecastNo: string, tokens: readonly string[], version = 1) => {
    const files = tokens.map((token) => ({ token, fields: ['shipping_label'] }));
    return retention.noteUses({ tenantId: TENANT, forecastNo, poNumber: `PO ${forecastNo}`, version, files }, 1);
  };
  async function takePhotos(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await store.begin('W1', `photo/${name}`, 1);
      await store.recordPhoto('W1', newPhoto(name));
    }
  }
  const hasPhoto = async (name: string) => (await store.photoByToken(`token of ${name}`)) !== undefined;
  const reported = (eventId: string, forecastNo: string, names: readonly string[]): PhotoLinks => {
    const photos = names.map((name) => `token of ${name}`);
    return { tenantId: TENANT, forecastNo, photos, report: { warehouseCode: 'W1', eventId } };
  };
  const link = (forecastNo: string, ...names: readonly string[]) => retention.notePhotos(reported('e', forecastNo, names));
  /** Forgets what was deleted before an instant, after as many days as the log and its dead letters may name it. */
  const forgetDeleted = async (before: number): Promise<void> => {
    const clock = new ManualClock(before + 38 * 86_400_000);
    for (const step of cleanUpSteps([forecastFiles], stores.collections, clock)) while (await step.run());
  };
  const isThere = async (name: string) => (await store.fileByToken(`token of ${name}`)) !== undefined;
  /** Keys of the contents that the sweep is to remove. */
  const swept = async () => (await store.claim(0, 100)).map(({ storageKey }) => storageKey).sort();

  test('a PDF stays until the last forecast that uses it has ended, and then for a while', async () => {
    await upload('a');
    await uses('F1', ['token of a']);
    await uses('F1', ['token of a']);
    await uses('F2', ['token of a', 'token of none']);
    await end('F1', ['token of a']);
    expect(await retention.retireUnused(9999, 10)).toBe(0);
    await end('F2', ['token of a', 'token of none']);
    await end('F2', ['token of a'], [], 7000);
    expect(await retention.retireUnused(5000, 10)).toBe(0);
    expect(await isThere('a')).toBe(true);
    expect(await retention.retireUnused(5001, 10)).toBe(1);
    expect(await isThere('a')).toBe(false);
    expect(await swept()).toEqual(['pdf/a']);
    // The same content is a new file from now on.
    await store.forget(TENANT, 'pdf/a');
    await store.begin(TENANT, 'pdf/a', 1);
    expect(await store.recordFile(TENANT, newFile('a'))).toMatchObject({ isNew: true });
  });

  test('a PDF that a correction has replaced stays with its forecast, and ends with it, whatever the end names', async () => {
    for (const name of ['former', 'present', 'shared']) await upload(name);
    await uses('F1', ['token of former', 'token of shared']);
    await uses('F1', ['token of present'], 2);
    await uses('F2', ['token of shared']);
    expect(await retention.retireUnused(9999, 10)).toBe(0);
    await end('F1', ['token of present']);
    await end('F1', ['token of present'], [], 7000);
    expect(await retention.retireUnused(5001, 10)).toBe(2);
    expect([await isThere('former'), await isThere('present'), await isThere('shared')]).toEqual([false, false, true]);
    await end('F2', []);
    expect(await retention.retireUnused(5001, 10)).toBe(1);
    expect(await isThere('shared')).toBe(false);
  });

  test('a use that is noted after the end of its forecast does not keep a PDF', async () => {
    await upload('a');
    await end('F1', ['token of a']);
    await uses('F1', ['token of a']);
    expect(await retention.retireUnused(5001, 10)).toBe(1);
    expect(await isThere('a')).toBe(false);
  });

  test('an unused PDF stays when a forecast uses it again, or it is uploaded again', async () => {
    for (const name of ['a', 'b']) {
      await upload(name);
      await uses('F1', [`token of ${name}`]);
    }
    await end('F1', ['token of a', 'token of b']);
    await uses('F2', ['token of a']);
    await store.begin(TENANT, 'pdf/again', 1);
    const again = await notingUploads(store, retention).recordFile(TENANT, { ...newFile('b'), storageKey: 'pdf/again', token: 'another' });
    expect(again).toMatchObject({ isNew: false, file: { token: 'token of b' } });
    expect(await notingUploads(store, retention).findByContent(TENANT, newFile('b'))).toMatchObject({ token: 'token of b' });
    expect(await retention.retireUnused(9999, 10)).toBe(0);
    expect([await isThere('a'), await isThere('b')]).toEqual([true, true]);
  });

  test('a PDF of another tenant, and one that no forecast has used stay', async () => {
    await upload('never');
    await retention.endFiles({ tenantId: 'tnt_2', forecastNo: 'F1', files: ['token of never'], photos: [], forecast: 'deleted' }, 5000);
    expect(await retention.retireUnused(9999, 10)).toBe(0);
    expect(await swept()).toEqual([]);
  });

  test('a photo of several forecasts stays until the last of them has ended', async () => {
    await takePhotos('p1', 'p2');
    await link('F1', 'p1', 'p2');
    await link('F1', 'p1');
    await link('F2', 'p1');
    await end('F1', [], ['token of p1', 'token of p2']);
    await end('F1', [], ['token of p1', 'token of p2']);
    expect([await hasPhoto('p1'), await hasPhoto('p2')]).toEqual([true, false]);
    const ofAnother = { tenantId: 'tnt_2', forecastNo: 'F2', files: [], photos: ['token of p1'] };
    await retention.endFiles({ ...ofAnother, forecast: 'deleted' }, 5000);
    expect(await hasPhoto('p1')).toBe(true);
    await end('F2', []);
    expect([await hasPhoto('p1'), await swept()]).toEqual([false, ['photo/p1', 'photo/p2']]);
  });

  test('a photo that is linked to a forecast after its end goes at once, unless another has it', async () => {
    await takePhotos('p1', 'p2', 'p3');
    await link('F2', 'p2');
    await end('F1', []);
    await link('F1', 'p1', 'p2');
    expect([await hasPhoto('p1'), await hasPhoto('p2')]).toEqual([false, true]);
    // The files alone have ended: the forecast says again what is over.
    await retention.endFiles({ tenantId: TENANT, forecastNo: 'F3', files: [], photos: [], forecast: 'kept' }, 5000);
    expect(await stores.collections.get(forecastFiles, [TENANT, 'F3'])).toBeUndefined();
    await link('F3', 'p3');
    expect(await hasPhoto('p3')).toBe(true);
    await retention.endFiles({ tenantId: TENANT, forecastNo: 'F3', files: [], photos: [], forecast: 'erased' }, 5000);
    expect(await hasPhoto('p3')).toBe(false);
  });

  test('the photos of a report that a forecast refused live by the forecast that takes it', async () => {
    await takePhotos('p1', 'p2', 'p3');
    for (const [eventId, name] of [
      ['e1', 'p1'],
      ['e2', 'p2'],
      ['e3', 'p3'],
    ] as const)
      await retention.notePhotos(reported(eventId, 'F1', [name]));
    for (const now of [5000, 6000]) {
      await retention.noteRefused(reported('e1', 'F1', ['p1']), now);
      await retention.noteRefused(reported('e2', 'F1', ['p2']), now);
    }
    await retention.notePhotos(reported('e1', 'F2', ['p1']));
    await end('F2', []);
    expect([await hasPhoto('p1'), await hasPhoto('p2'), await hasPhoto('p3')]).toEqual([false, true, true]);
    await end('F1', []);
    expect([await hasPhoto('p2'), await hasPhoto('p3')]).toEqual([true, false]);
    await retention.notePhotos(reported('e2', 'F3', ['p2']));
    await end('F3', []);
    expect(await hasPhoto('p2')).toBe(false);
  });

  test('a link that comes behind the refusal of its report is none, for as long as that is remembered', async () => {
    await takePhotos('p1', 'p2');
    await retention.noteRefused(reported('e1', 'F1', ['p1']), 5000);
    await forgetDeleted(5000);
    await retention.notePhotos(reported('e1', 'F1', ['p1']));
    await retention.notePhotos(reported('e2', 'F1', ['p2']));
    await end('F1', []);
    expect([await hasPhoto('p1'), await hasPhoto('p2')]).toEqual([true, false]);
    await forgetDeleted(5001);
    await retention.notePhotos(reported('e1', 'F1', ['p1']));
    await end('F1', []);
    expect(await hasPhoto('p1')).toBe(false);
  });

  test('all PDFs and photos of a forecast end, however many they are', async () => {
    const names = Array.from({ length: 201 }, (_, index) => `x${index}`);
    for (const name of names) await upload(name);
    const photos = names.map((name) => `p ${name}`);
    await takePhotos(...photos, 'other');
    const tokens = names.map((name) => `token of ${name}`);
    await uses('F1', tokens);
    await link('F1', ...photos);
    await end('F1', []);
    expect([await retention.retireUnused(5001, 1000), (await store.claim(0, 1000)).length]).toEqual([201, 402]);
    expect([await hasPhoto('p x200'), await hasPhoto('other')]).toEqual([false, true]);
  });

  test('an upload of a known content that ended just now is stored anew, or may be tried again', async () => {
    await upload('a');
    const late = notingUploads(store, { noteUpload: async () => false });
    expect(await late.findByContent(TENANT, newFile('a'))).toBeUndefined();
    await store.begin(TENANT, 'pdf/again', 1);
    await expect(late.recordFile(TENANT, { ...newFile('a'), storageKey: 'pdf/again' })).rejects.toMatchObject({ code: '50301' });
  });

  /** Records rendered documents of a forecast. @returns whether they were taken */
  async function recordDocuments(forecastNo: string): Promise<boolean> {
    const storageKey = `document/${forecastNo}`;
    await store.begin(TENANT, storageKey, 1);
    const sections = { labelEnd: 1, copiesEnd: null, slipStart: 1, size: 2 };
    return stores.documents.recordDocuments(TENANT, { forecastNo, version: 1, storageKey, ...sections, generatedAt: 1 });
  }
  const hasDocuments = async (forecastNo: string) => (await stores.documents.findDocuments(TENANT, forecastNo, 1)) !== undefined;

  test('documents that were being rendered while their forecast was deleted are not recorded', async () => {
    await end('F1', []);
    await retention.endFiles({ tenantId: 'tnt_2', forecastNo: 'F2', files: [], photos: [], forecast: 'deleted' }, 5000);
    await retention.endFiles({ tenantId: TENANT, forecastNo: 'F3', files: [], photos: [], forecast: 'kept' }, 5000);
    expect([await recordDocuments('F1'), await recordDocuments('F2'), await recordDocuments('F3')]).toEqual([false, true, true]);
    expect([await hasDocuments('F1'), await hasDocuments('F2'), await hasDocuments('F3')]).toEqual([false, true, true]);
    expect(await store.abandon(TENANT, 'document/F1')).toBe(true);
    expect(await swept()).toEqual(['document/F1']);
  });

  test('documents that are recorded at the moment when their forecast is deleted do not stay', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => `F${index}`);
    await Promise.all(numbers.map((forecastNo) => Promise.all([recordDocuments(forecastNo), end(forecastNo, [])])));
    expect(await Promise.all(numbers.map(hasDocuments))).toEqual(numbers.map(() => false));
  });
});
