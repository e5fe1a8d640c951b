import { expect, test } from '@jest/globals';
import { allRecords, describeTenantData } from '@parcelway/kernel/testing/tenant-data-suite';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore } from '@parcelway/store/shared/usage-days';
import { createImportStops, createImportStore } from '../../imports/import-store.ts';
import { expiryNotes } from '../../retention/forecast-expiry.ts';
import { createTenantRetentions } from '../../retention/tenant-retention-store.ts';
import { importJob } from '../../testing/import-forms.ts';
import { forecast, openStores } from '../../testing/store-under-test.ts';
import { createTenantData } from './tenant-data.ts';

/** Files of imports, of which nothing is left in these tests. */
const noFiles = { delete: async (): Promise<void> => undefined };

function open() {
  const stores = openStores();
  const { db, documents } = stores;
  return {
    ...stores,
    retentions: createTenantRetentions(documents),
    idempotency: createIdempotencyStore(documents),
    imports: createImportStore(documents),
    importStops: createImportStops(documents),
    usage: createUsageStore(documents),
    data: createTenantData(documents, noFiles, stores.tenantData),
    dump: async () => dumpOf(db),
  };
}

/** Writes two forecasts with photos, what the tenant has chosen of its retention, and an idempotency key. */
async function fill(
  { store, documents, retentions, idempotency, imports, importStops, usage }: ReturnType<typeof open>,
  tenantId: string,
  mark: string,
): Promise<void> {
  for (const no of [`F1${mark}`, `F2${mark}`]) {
    const given = forecast({ no, tenantId, claims: [`T-${no}`], terms: [`nT-${no}`] });
    const photo = {
      id: 1,
      image_path: 'photo/1',
      image_url: `https://x.example/photos/${'a'.repeat(22)}.jpg`,
      express_no: '',
      file_size: 1,
    };
    const progress = { ...given.progress, weighingPhotos: [{ ...photo, upload_time: '2026-01-01T00:00:00Z' }] };
    await store.insert({ ...given, progress }, [{ topic: 't', key: `${tenantId}/${no}`, value: `{"tenant":"${tenantId}"}` }]);
  }
  await retentions.record({ tenantId, version: 1, forecastDays: 30, fileDays: 7 });
  const note = { tenantId, noteId: mark, at: 1 };
  await documents.apply([{ in: expiryNotes, insert: note, messages: [{ topic: 't', key: `${tenantId}/note`, value: tenantId }] }]);
  const scope = { ownerId: tenantId, route: 'submitForecast', key: `key ${mark}` };
  await idempotency.add({ ...scope, fingerprint: 'f', seed: 's', claim: 'c', claimedUntil: 0, createdAt: 1, response: null });
  const job = { ...importJob(tenantId, `imp_${mark}`, 1), fileName: `${mark}.csv` };
  await imports.begin(job, 10);
  await imports.ready(job, { mapping: { [mark]: null }, validateOnly: false }, undefined);
  await imports.addRows(
    { ...job, attempt: 0 },
    [2, 3].map((row) => ({ row, poNumber: `P${row}`, cells: [mark, row], first: row })),
    2,
  );
  await imports.begin({ ...job, importId: `imp_${mark}_2` }, 10);
  await importStops.note({ tenantId, keyId: `key_${mark}`, at: 1 }, 1);
  await importStops.note({ tenantId, keyId: null, at: 1 }, 1);
  await usage.add({ counter: 'c', number: 1, records: [{ tenantId, day: '2026-01-31', amounts: { calls: 1 } }] });
  await idempotency.complete(scope, 's', { status: 200, body: '{"secret":"SECRET"}' });
}

describeTenantData('forecast', ['imports', 'import_rows', 'photos', 'forecasts', 'idempotency_keys', 'usage'], async () => {
  const stores = open();
  return { ...stores, fill: (tenantId: string, mark: string) => fill(stores, tenantId, mark) };
});

test('a copy has the imports of a tenant, oldest first, without one whose file is still arriving', async () => {
  const stores = open();
  for (const mark of ['1', '2']) await fill(stores, 'tnt_a', mark);
  const kinds = stores.data.kinds.filter(({ name }) => name === 'imports');
  const records = await Promise.all(kinds.map((kind) => allRecords(kind, 'tnt_a')));
  expect(records.flat().map(({ record }) => record['importId'])).toEqual(['imp_1', 'imp_2']);
  await stores.close();
});
