import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { UsageOfDay } from '@parcelway/kernel/usage-counter';
import type { Write } from '@parcelway/store/store';
import { type Content, contents } from '../contents/contents-collection.ts';
import { newFile, newPhoto, openStores } from '../testing/open-stores.ts';
import { measureTenants, STORAGE_PAGE } from './measure-storage.ts';

const DAY_MS = 86_400_000;
const MIDNIGHT = Date.parse('2026-02-01T00:00:00Z');
let stores: ReturnType<typeof openStores>;
beforeEach(() => {
  stores = openStores();
});
afterEach(() => stores.close());

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

/** Measures as a process that is the only one. @param steps after which the work is over */
function setUp(isErased: (tenantId: string, steps: number) => boolean = () => false) {
  const clock = new ManualClock(MIDNIGHT + DAY_MS / 2);
  const kept: UsageOfDay[] = [];
  const state = { place: '', steps: 0 };
  const measure = (most = Number.POSITIVE_INFINITY): Promise<number> => {
    state.steps = 0;
    const options = {
      store: stores.collections,
      usage: { set: async (measured: UsageOfDay) => void kept.push(measured) },
      isErased: (tenantId: string) => isErased(tenantId, state.steps),
      clock,
      everyMs: DAY_MS,
    };
    const renew = async (to = state.place): Promise<void> => {
      state.place = to;
      state.steps += 1;
    };
    return measureTenants(options, { place: state.place, renew, isOver: () => state.steps > most });
  };
  return { clock, kept, measure };
}
const measured = (tenantId: string, day: string, files: number): UsageOfDay => ({
  tenantId,
  day,
  amounts: { storage_files: files, storage_bytes: 10 * files },
});

describe('the measurement of what is stored', () => {
  test('measures each tenant in pages, once in a day', async () => {
    const { clock, kept, measure } = setUp();
    await store('tnt_1', 2 * STORAGE_PAGE + 1, 3);
    await stores.usage.set({ tenantId: 'tnt_2', day: '2026-01-31', amounts: { storage_files: 1 } });
    for (const _time of [1, 2]) expect(await measure()).toBe(MIDNIGHT + DAY_MS);
    expect(kept).toEqual([measured('tnt_1', '2026-02-01', 2 * STORAGE_PAGE + 4), measured('tnt_2', '2026-02-01', 0)]);
    clock.advance(DAY_MS / 2);
    await measure();
    expect(kept.slice(2).map(({ tenantId, day }) => `${tenantId} ${day}`)).toEqual(['tnt_1 2026-02-02', 'tnt_2 2026-02-02']);
  });

  test('ends between two pages when the work is over, and goes on with that tenant', async () => {
    const { clock, kept, measure } = setUp();
    await store('tnt_1', 1);
    await store('tnt_2', 20 * STORAGE_PAGE);
    expect(await measure(10)).toBe(clock.now());
    expect(kept.map(({ tenantId }) => tenantId)).toEqual(['tnt_1']);
    await measure();
    expect(kept.slice(1)).toEqual([measured('tnt_2', '2026-02-01', 20 * STORAGE_PAGE)]);
  });

  test('keeps nothing of an erased tenant, also of one that is erased meanwhile, and goes on behind it', async () => {
    // What erases tnt_2 comes in its first step; tnt_1 takes none.
    const { kept, measure } = setUp((tenantId, steps) => tenantId === 'tnt_1' || (tenantId === 'tnt_2' && steps > 1));
    for (const no of [1, 2, 3]) await store(`tnt_${no}`, 1);
    await measure();
    expect(kept.map(({ tenantId }) => tenantId)).toEqual(['tnt_3']);
  });
});

test('what the tenant or the retention has deleted, what is uploaded, photos of warehouses and documents do not count', async () => {
  const { store: records, ownFiles, retention } = stores;
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
  const bytes = async () => {
    const { kept, measure } = setUp();
    await measure();
    return kept.map(({ tenantId, amounts }) => [tenantId, amounts['storage_bytes']]);
  };
  expect(await bytes()).toEqual([['tnt_1', 1110]]);
  const named = { tenantId: 'tnt_1', forecastNo: 'F1', poNumber: 'PO', version: 1 };
  await retention.noteUses({ ...named, files: [{ token: 'token of ended', fields: ['shipping_label'] }] }, 4000);
  await retention.endFiles({ ...named, files: ['token of ended'], photos: [], forecast: 'deleted' }, 4000);
  expect(await retention.retireUnused(6000, 10)).toBe(3);
  expect(await bytes()).toEqual([['tnt_1', 10]]);
});
