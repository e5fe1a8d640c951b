import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { UsageOfDay } from '@parcelway/kernel/usage-counter';
import type { Write } from '@parcelway/store/store';
import { type Content, contents } from '../contents/contents-collection.ts';
import { newFile, newPhoto, openStores } from '../testing/open-stores.ts';
import { createStorageMeasurement, STORAGE_PAGE, type StoredContents } from './measure-storage.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-02-01T12:00:00Z');
let stores: ReturnType<typeof openStores>;
beforeEach(() => {
  stores = openStores();
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance', 'setImmediate'], now: NOON });
});
afterEach(async () => {
  jest.useRealTimers();
  await stores.close();
});

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
/** Lets the work go on, which takes turns of the event loop, and time pass. */
async function pass(ms: number): Promise<void> {
  await turns(100);
  await jest.advanceTimersByTimeAsync(ms);
  await turns(100);
}

/** Stores PDFs and images of 10 bytes. */
async function store(tenantId: string, pdfs: number, images = 0): Promise<void> {
  const digests = { md5: 'm', sha256: 's', size: 10, uploadedAt: 1 };
  const content = (stored: 'pdf' | 'image', no: number): Content => ({
    ownerId: tenantId,
    storageKey: `${stored}/${String(no).padStart(5, '0')}`,
    stored,
    ...(stored === 'pdf' ? { pdf: { ...digests, name: 'a.pdf' } } : { photo: { ...digests, photoId: no, mediaType: 'image/png' } }),
  });
  const all = [
    ...Array.from({ length: pdfs }, (_, no) => content('pdf', no)),
    ...Array.from({ length: images }, (_, no) => content('image', no)),
  ];
  await stores.collections.apply(all.map((insert): Write => ({ in: contents, insert })));
}

/** Measurements that share a lease. */
function setUp() {
  const seen = { kept: [] as UsageOfDay[], pages: 0, erased: '', failsAt: '', logged: [] as string[] };
  const stored: StoredContents = {
    nextTenant: (after) => stores.stored.nextTenant(after),
    async page(tenantId, ...rest) {
      if (tenantId === seen.failsAt) throw new Error('the store is out');
      seen.pages += 1;
      return stores.stored.page(tenantId, ...rest);
    },
  };
  const open = () =>
    createStorageMeasurement({
      lease: stores.lease('measure'),
      stored,
      usage: { set: async (measured) => void seen.kept.push(measured) },
      isErased: (tenantId) => tenantId === seen.erased,
      clock: systemClock,
      logger: { ...silentLogger, warn: (_fields: object, text: string) => void seen.logged.push(text) },
      everyMs: DAY_MS,
    });
  return { seen, stored, open };
}
const measured = (tenantId: string, day: string, files: number): UsageOfDay => ({
  tenantId,
  day,
  amounts: { storage_files: files, storage_bytes: 10 * files },
});

describe('the measurement of what is stored', () => {
  test('measures each tenant in pages after the start, once a day, and again soon after the next day has begun', async () => {
    const { seen, open } = setUp();
    await store('tnt_1', 2 * STORAGE_PAGE + 1, 3);
    await stores.usage.set({ tenantId: 'tnt_2', day: '2026-01-31', amounts: { storage_files: 1 } });
    const work = open();
    work.start();
    await pass(0);
    expect(seen.kept).toEqual([measured('tnt_1', '2026-02-01', 2 * STORAGE_PAGE + 4), measured('tnt_2', '2026-02-01', 0)]);
    expect(seen.pages).toBe(6);
    await pass(DAY_MS / 2 - 1000);
    expect(seen.kept).toHaveLength(2);
    await store('tnt_3', 1);
    await pass(1000);
    expect(seen.kept.slice(2).map(({ tenantId, day }) => `${tenantId} ${day}`)).toEqual(
      ['tnt_1', 'tnt_2', 'tnt_3'].map((id) => `${id} 2026-02-02`),
    );
    await work.stop();
    await pass(2 * DAY_MS);
    expect(seen.kept).toHaveLength(5);
  });

  test('goes on after a failure with the tenant at which it failed', async () => {
    const { seen, open } = setUp();
    for (const no of [1, 2, 3]) await store(`tnt_${no}`, no);
    seen.failsAt = 'tnt_2';
    const work = open();
    work.start();
    await pass(0);
    expect([seen.kept.length, seen.logged]).toEqual([1, [expect.stringContaining('The next run goes on')]]);
    seen.failsAt = '';
    await pass(60_000);
    expect(seen.kept.map(({ tenantId }) => tenantId)).toEqual(['tnt_1', 'tnt_2', 'tnt_3']);
    await work.stop();
  });

  test('keeps nothing of an erased tenant, also of one that is erased meanwhile, and goes on behind it', async () => {
    const { seen, stored, open } = setUp();
    for (const no of [1, 2, 3]) await store(`tnt_${no}`, 1);
    seen.erased = 'tnt_1';
    const work = open();
    jest.spyOn(stored, 'page').mockImplementation(async (tenantId, ...rest) => {
      if (tenantId === 'tnt_2') seen.erased = tenantId;
      return stores.stored.page(tenantId, ...rest);
    });
    work.start();
    await pass(0);
    await work.stop();
    expect(seen.kept.map(({ tenantId }) => tenantId)).toEqual(['tnt_3']);
  });

  test('ends between two pages when the process stops, and the next start begins with that tenant', async () => {
    const { seen, open } = setUp();
    await store('tnt_1', 1);
    await store('tnt_2', 20 * STORAGE_PAGE);
    const first = open();
    first.start();
    await jest.advanceTimersByTimeAsync(0);
    while (seen.pages < 6) await turns(1);
    await first.stop();
    expect([seen.kept.map(({ tenantId }) => tenantId), seen.pages < 16]).toEqual([['tnt_1'], true]);
    const second = open();
    second.start();
    while (seen.kept.length < 2) await turns(1);
    await second.stop();
    expect(seen.kept.at(-1)).toEqual(measured('tnt_2', '2026-02-01', 20 * STORAGE_PAGE));
  });
});

test('what the tenant or the retention has deleted, what is uploaded, photos of warehouses and documents do not count', async () => {
  const { store: records, ownFiles, retention, stored } = stores;
  const upload = async (one: string, size: number): Promise<number> => {
    await records.begin('tnt_1', `pdf/${one}`, 1);
    return (await records.recordFile('tnt_1', newFile(one, { size }))).file.id;
  };
  for (const owner of ['tnt_1', 'WH1']) await records.begin(owner, `photo/${owner}`, 1);
  await records.recordPhoto('WH1', newPhoto('WH1', { size: 1000 }));
  await records.recordImage('tnt_1', newPhoto('tnt_1', { size: 1000 }), 5000);
  const deleted = await upload('deleted', 1);
  for (const [one, size] of [['kept', 10] as const, ['ended', 100] as const]) await upload(one, size);
  await records.begin('tnt_1', 'pdf/pending', 1);
  expect(await ownFiles.hide('tnt_1', deleted, 4000)).toBe('hidden');
  const sizes = async () => [(await stored.page('tnt_1', 'pdf', '', 9)).bytes, (await stored.page('tnt_1', 'image', '', 9)).bytes];
  expect([await sizes(), await stored.nextTenant(''), await stored.nextTenant('tnt_1')]).toEqual([[110, 1000], 'tnt_1', undefined]);
  const named = { tenantId: 'tnt_1', forecastNo: 'F1', poNumber: 'PO', version: 1 };
  await retention.noteUses({ ...named, files: [{ token: 'token of ended', fields: ['shipping_label'] }] }, 4000);
  await retention.endFiles({ ...named, files: ['token of ended'], photos: [], forecast: 'deleted' }, 4000);
  expect(await retention.retireUnused(6000, 10)).toBe(3);
  expect(await sizes()).toEqual([10, 0]);
});
