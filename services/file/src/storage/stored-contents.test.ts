import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openStores } from '../testing/open-stores.ts';
import type { StoredKind } from './measure-storage.ts';

describe('what tenants have stored', () => {
  let stores: ReturnType<typeof openStores>;
  beforeEach(() => {
    stores = openStores();
  });
  afterEach(() => stores.close());

  const digestsOf = (one: string) => ({ md5: `md5 of ${one}`, sha256: `sha256 of ${one}`, token: `token of ${one}`, uploadedAt: 1000 });
  async function upload(tenantId: string, one: string, size: number): Promise<number> {
    const storageKey = `pdf/${one}`;
    await stores.store.begin(tenantId, storageKey, 1);
    const added = { ...digestsOf(one), storageKey, name: `${one}.pdf`, size, findings: undefined };
    return (await stores.store.recordFile(tenantId, added)).file.id;
  }
  async function takePhoto(one: string, size: number, owner: { readonly tenantId?: string } = {}): Promise<void> {
    const photo = { ...digestsOf(one), storageKey: `photo/${one}`, mediaType: 'image/png', size } as const;
    const { tenantId } = owner;
    await stores.store.begin(tenantId ?? 'WH1', photo.storageKey, 1);
    if (tenantId === undefined) await stores.store.recordPhoto('WH1', photo);
    else await stores.store.recordImage(tenantId, photo, 5000);
  }
  /** All pages: the number of files of each, and the sum of the bytes. */
  async function pagesOf(tenantId: string, kind: StoredKind, limit = 10) {
    const counts: number[] = [];
    let bytes = 0;
    let last = '';
    do {
      const page = await stores.stored.page(tenantId, kind, last, limit);
      counts.push(page.files);
      bytes += page.bytes;
      last = page.last;
    } while (counts.at(-1) === limit);
    return { counts, bytes };
  }
  async function tenants(): Promise<readonly string[]> {
    const found: string[] = [];
    for (let id = await stores.stored.nextTenant(''); id !== undefined; id = await stores.stored.nextTenant(id)) found.push(id);
    return found;
  }

  test('reads the PDFs of a tenant in pages, each once, also those of one size', async () => {
    for (let no = 1; no <= 7; no += 1) await upload('tnt_1', `a${no}`, 10);
    await upload('tnt_1', 'large', 5_000_000_000);
    await upload('tnt_2', 'b', 3);
    expect(await pagesOf('tnt_1', 'pdf', 3)).toEqual({ counts: [3, 3, 2], bytes: 5_000_000_070 });
    expect(await pagesOf('tnt_1', 'pdf', 4)).toEqual({ counts: [4, 4, 0], bytes: 5_000_000_070 });
    expect(await pagesOf('tnt_2', 'pdf')).toEqual({ counts: [1], bytes: 3 });
    expect(await pagesOf('tnt_3', 'pdf')).toEqual({ counts: [0], bytes: 0 });
  });

  test("reads a tenant's own images, and no photo of a warehouse", async () => {
    await takePhoto('p', 100);
    for (const one of ['i', 'j', 'k']) await takePhoto(one, 4, { tenantId: 'tnt_1' });
    await takePhoto('l', 9, { tenantId: 'tnt_2' });
    expect(await pagesOf('tnt_1', 'image', 2)).toEqual({ counts: [2, 1], bytes: 12 });
    expect(await pagesOf('tnt_1', 'pdf')).toEqual({ counts: [0], bytes: 0 });
  });

  test('does not count what the tenant or the retention has deleted, what is uploaded, and documents that were generated', async () => {
    const deleted = await upload('tnt_1', 'deleted', 1);
    await upload('tnt_1', 'kept', 10);
    await upload('tnt_1', 'ended', 100);
    await takePhoto('never used', 1000, { tenantId: 'tnt_1' });
    await stores.store.begin('tnt_1', 'pdf/pending', 1);
    expect(await stores.ownFiles.hide('tnt_1', deleted, 4000)).toBe('hidden');
    expect(await pagesOf('tnt_1', 'pdf')).toEqual({ counts: [2], bytes: 110 });
    const named = { tenantId: 'tnt_1', forecastNo: 'F1', poNumber: 'PO', version: 1 };
    await stores.retention.noteUses({ ...named, files: [{ token: 'token of ended', fields: ['shipping_label'] }] }, 4000);
    await stores.retention.endFiles({ ...named, files: ['token of ended'], photos: [], forecast: 'deleted' }, 4000);
    expect(await stores.retention.retireUnused(6000, 10)).toBe(3);
    expect([await pagesOf('tnt_1', 'pdf'), await pagesOf('tnt_1', 'image')]).toEqual([
      { counts: [1], bytes: 10 },
      { counts: [0], bytes: 0 },
    ]);
  });

  test('goes from tenant to tenant in the order of their ids: those with PDFs, with images, and with usage of any day', async () => {
    await takePhoto('p', 1);
    await upload('tnt_3', 'a', 1);
    await upload('tnt_3', 'b', 1);
    await takePhoto('i', 1, { tenantId: 'tnt_2' });
    await takePhoto('j', 1, { tenantId: 'tnt_3' });
    for (const day of ['2026-02-01', '2026-02-02']) await stores.usage.set({ tenantId: 'tnt_1', day, amounts: { storage_files: 0 } });
    await stores.usage.set({ tenantId: 'tnt_4', day: '2026-02-01', amounts: { storage_files: 0 } });
    expect(await tenants()).toEqual(['tnt_1', 'tnt_2', 'tnt_3', 'tnt_4']);
  });
});
