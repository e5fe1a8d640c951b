import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import { describeTenantData } from '@parcelway/kernel/testing/tenant-data-suite';
import type { UsageStore } from '@parcelway/kernel/usage-counter';
import type { ImportStops, ImportStore } from '../../imports/import-store.ts';
import type { ForecastExpiry, TenantRetentions } from '../../retention/ports.ts';
import type { ForecastStore } from '../../store/ports.ts';
import { forecast } from '../../testing/store-under-test.ts';

/** Stores over one database, empty at first. */
export interface OpenStores {
  readonly store: ForecastStore;
  readonly retentions: TenantRetentions;
  readonly expiry: ForecastExpiry;
  readonly idempotency: IdempotencyStore;
  readonly imports: ImportStore;
  readonly importStops: ImportStops;
  readonly usage: UsageStore;
  readonly data: TenantData;
  dump(): Promise<string>;
  close(): Promise<void>;
}

/** Writes two forecasts with photos, what the tenant has chosen of its retention and how far that is, and an idempotency key. */
async function fill(
  { store, retentions, expiry, idempotency, imports, importStops, usage }: OpenStores,
  tenantId: string,
  mark: string,
): Promise<void> {
  for (const no of [`F1${mark}`, `F2${mark}`]) {
    const given = forecast({ no, tenantId, claims: [`T-${no}`], terms: [`nT-${no}`] });
    const photo = { id: 1, path: 'photo/1', url: `https://x.example/photos/${'a'.repeat(22)}.jpg`, expressNo: '', sizeByte: 1 };
    const progress = { ...given.progress, weighingPhotos: [{ ...photo, uploadTime: '2026-01-01T00:00:00Z', uploadTimeMs: 1 }] };
    await store.insert({ ...given, progress }, () => [{ topic: 't', key: `${tenantId}/${no}`, value: `{"tenant":"${tenantId}"}` }]);
  }
  await retentions.record({ tenantId, version: 1, forecastDays: 30, fileDays: 7 });
  await expiry.expireFiles(tenantId, { endedAt: 1, forecastId: 1 }, []);
  const scope = { ownerId: tenantId, route: 'submitForecast', key: `key ${mark}` };
  await idempotency.add({ ...scope, fingerprint: 'f', seed: 's', claim: 'c', claimedUntil: 0, createdAt: 1, response: null });
  const job = {
    tenantId,
    importId: `imp_${mark}`,
    fileName: `${mark}.csv`,
    fileKey: `${tenantId}/1`,
    kind: 'csv',
    keyId: 'key_1',
    createdAt: 1,
  } as const;
  await imports.begin(job, 10);
  await imports.ready(job, { mapping: { [mark]: null }, validateOnly: false }, undefined);
  await imports.addRows(
    { ...job, attempt: 0 },
    [2, 3].map((row) => ({ row, poNumber: `P${row}`, cells: [mark, row] })),
    2,
  );
  await imports.begin({ ...job, importId: `imp_${mark}_2` }, 10);
  await importStops.note({ tenantId, keyId: `key_${mark}`, at: 1 }, 1);
  await importStops.note({ tenantId, keyId: null, at: 1 }, 1);
  await usage.add({ counter: 'c', number: 1, records: [{ tenantId, day: '2026-01-31', amounts: { calls: 1 } }] });
  await idempotency.complete(scope, 's', { status: 200, body: '{"secret":"SECRET"}' });
}

/** Files of imports, of which nothing is left in these tests. */
export const noFiles = { delete: async (): Promise<void> => undefined };

/** What the data of tenants must do in both stores. */
export function describeForecastTenantData(name: string, open: () => Promise<OpenStores>): void {
  describeTenantData(name, ['imports', 'import_rows', 'photos', 'forecasts', 'idempotency_keys', 'usage'], async () => {
    const stores = await open();
    return { ...stores, fill: (tenantId, mark) => fill(stores, tenantId, mark) };
  });
}
