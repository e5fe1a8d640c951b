import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { Blobs } from '@parcelway/blobs/blobs';
import { openFilesystemBlobs } from '@parcelway/blobs/filesystem-driver';
import { allRecords, describeTenantData } from '@parcelway/kernel/testing/tenant-data-suite';
import { newFile, newPhoto, openStores } from '../testing/open-stores.ts';
import { UNREADABLE } from '../uploads/domain/inspected-pdf.ts';

/** Of the photos. */
const report = { warehouseCode: 'W1', eventId: 'e' };

/** Empty stores, with contents in a directory. */
async function openWithBlobs() {
  const directory = mkdtempSync(join(tmpdir(), 'file-tenant-data-'));
  const stores = openStores();
  const blobs = await openFilesystemBlobs(directory);
  return {
    ...stores,
    blobs,
    data: stores.tenantData(blobs),
    async close() {
      await stores.close();
      await blobs.close();
      rmSync(directory, { recursive: true });
    },
  };
}

type Stores = Awaited<ReturnType<typeof openWithBlobs>>;

const put = (blobs: Blobs, key: string) => blobs.put(key, Readable.from([Buffer.from('content')]), 'application/pdf');

/** Writes two files, an image, documents and an idempotency key. */
async function fill({ store, documents, keys, usage, blobs, retention }: Stores, tenantId: string, mark: string): Promise<void> {
  const low = mark.toLowerCase();
  for (const no of [1, 2]) {
    const storageKey = `pdf/${low}${no}`;
    await put(blobs, storageKey);
    await store.begin(tenantId, storageKey, 1);
    const given = { storageKey, md5: `md5 ${no}`, sha256: 'sha256', token: `${mark} ${no}`, name: `${mark}.pdf`, size: 7, uploadedAt: 1 };
    await store.recordFile(tenantId, newFile(mark, given));
  }
  const storageKey = `document/${low}`;
  await put(blobs, storageKey);
  await store.begin(tenantId, storageKey, 1);
  const sections = { labelEnd: 3, copiesEnd: null, slipStart: 3, size: 7 };
  await documents.recordDocuments(tenantId, { forecastNo: `FC${mark}`, version: 1, storageKey, ...sections, generatedAt: 1 });
  const named = { tenantId, forecastNo: `FC${mark}`, poNumber: `PO ${mark}`, version: 1 };
  await retention.noteUses({ ...named, files: [{ token: `${mark} 1`, fields: ['shipping_label'] }] }, 1);
  await retention.noteCancelled(tenantId, `FX${mark}`, 1);
  const imageKey = `photo/${low}`;
  await put(blobs, imageKey);
  await store.begin(tenantId, imageKey, 1);
  const image = newPhoto(low, { token: `image of ${mark}`, md5: 'm', sha256: 's', size: 7, uploadedAt: 1 });
  await store.recordImage(tenantId, image, 1);
  await retention.noteImages({ tenantId, forecastNo: `FC${mark}`, revision: 1, images: [image.token] }, 1);
  await retention.notePhotos({ tenantId, forecastNo: `FC${mark}`, photos: [`photo of ${mark}`], report });
  await retention.endFiles({ tenantId, forecastNo: `FD${mark}`, files: [], photos: [], forecast: 'deleted' }, 1);
  await usage.add({ counter: 'c', number: 1, records: [{ tenantId, day: '2026-01-31', amounts: { calls: 1 } }] });
  const scope = { ownerId: tenantId, route: 'uploadPdf', key: `key ${mark}` };
  await keys.add({ ...scope, fingerprint: 'f', seed: 's', claim: 'c', claimedUntil: 0, createdAt: 1, response: null });
}

describeTenantData('file', ['files', 'images', 'documents', 'idempotency_keys', 'usage'], async () => {
  const stores = await openWithBlobs();
  return { ...stores, fill: (tenantId, mark) => fill(stores, tenantId, mark) };
});

test('a tenant receives what it has stored, and neither keys nor numbers of the platform', async () => {
  const stores = await openWithBlobs();
  await fill(stores, 'tnt_a', 'ALPHA');
  await stores.store.begin('tnt_a', 'pdf/read', 1);
  const read = { storageKey: 'pdf/read', token: 'read', name: 'r.pdf', md5: 'm', sha256: 's', size: 7, uploadedAt: 2 };
  await stores.store.recordFile('tnt_a', { ...read, findings: UNREADABLE });
  const listed: Record<string, readonly object[]> = {};
  for (const kind of stores.data.kinds) listed[kind.name] = (await allRecords(kind, 'tnt_a')).map(({ record }) => record);
  const file = { name: 'ALPHA.pdf', sha256: 'sha256', size: 7, uploaded_at: 1, findings: null };
  const inspected = { name: 'r.pdf', md5: 'm', sha256: 's', size: 7, uploaded_at: 2, token: 'read', findings: UNREADABLE };
  expect(listed).toMatchObject({
    files: [{ ...file, md5: 'md5 1', token: 'ALPHA 1' }, { ...file, md5: 'md5 2', token: 'ALPHA 2' }, inspected],
    images: [{ media_type: 'image/png', md5: 'm', sha256: 's', size: 7, uploaded_at: 1, token: 'image of ALPHA' }],
    documents: [{ forecast_no: 'FCALPHA', version: 1, size: 7, generated_at: 1 }],
  });
  expect(JSON.stringify(listed)).not.toMatch(/storageKey|storage_key|photoId|pdf\/|photo\//);
  await stores.close();
});

test('contents are deleted with what names them', async () => {
  const stores = await openWithBlobs();
  const { blobs, data } = stores;
  await fill(stores, 'tnt_a', 'ALPHA');
  await fill(stores, 'tnt_b', 'BETA');
  for (const { erase } of data.kinds) for (let erased = 1; erased > 0; ) erased = (await erase?.('tnt_a')) ?? 0;
  const areThere = async (low: string) =>
    Promise.all(
      [`pdf/${low}1`, `pdf/${low}2`, `document/${low}`, `photo/${low}`].map(async (key) => Boolean((await blobs.open(key))?.destroy())),
    );
  expect(await areThere('alpha')).toEqual([false, false, false, false]);
  expect(await areThere('beta')).toEqual([true, true, true, true]);
  await stores.close();
});

async function takePhotos({ store, blobs }: Stores, ...numbers: readonly number[]): Promise<void> {
  for (const no of numbers) {
    const storageKey = `photo/${no}`;
    await put(blobs, storageKey);
    await store.begin('W', storageKey, 1);
    await store.recordPhoto('W', newPhoto(String(no), { token: `photo ${no}`, size: 7 }));
  }
}

test('photos of forecasts that are gone already are deleted, but not those that another tenant has', async () => {
  const stores = await openWithBlobs();
  const { store, blobs, data, retention } = stores;
  await takePhotos(stores, 1, 2, 3);
  for (const forecastNo of ['F1', 'F2'])
    await retention.notePhotos({ tenantId: 'tnt_m', forecastNo, photos: ['photo 1', 'photo 2'], report });
  for (const tenantId of ['tnt_a', 'tnt_z'])
    await retention.notePhotos({ tenantId, forecastNo: 'F9', photos: ['photo 2', 'photo 3'], report });
  expect(await data.erasePhotos('tnt_m', ['photo 2'])).toBe(0);
  for (const { erase } of data.kinds) for (let erased = 1; erased > 0; ) erased = (await erase?.('tnt_m')) ?? 0;
  const found = await Promise.all([1, 2, 3].map((no) => store.photoByToken(`photo ${no}`)));
  expect(found.map((photo) => photo?.token)).toEqual([undefined, 'photo 2', 'photo 3']);
  expect(await blobs.open('photo/1')).toBeUndefined();
  await stores.close();
});

test('two deletions of a photo at the same time count one, and no file', async () => {
  const stores = await openWithBlobs();
  await fill(stores, 'tnt_a', 'ALPHA');
  await takePhotos(stores, 1);
  let others: number | undefined;
  const remove = async (key: string): Promise<void> => {
    others ??= await stores.data.erasePhotos('tnt_a', ['photo 1']);
    await stores.blobs.delete(key);
  };
  const slow = stores.tenantData({ ...stores.blobs, delete: remove });
  expect([await slow.erasePhotos('tnt_a', ['photo 1', 'photo 1', 'ALPHA 1']), others]).toEqual([0, 1]);
  expect(await stores.store.fileByToken('ALPHA 1')).toBeDefined();
  await stores.close();
});
