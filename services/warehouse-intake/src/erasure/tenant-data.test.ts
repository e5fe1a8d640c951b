import { expect, test } from '@jest/globals';
import { allRecords, describeTenantData } from '@parcelway/kernel/testing/tenant-data-suite';
import { type OpenStores, openStores } from '../testing/open-stores.ts';
import { accept, acceptedForecast, changeForecast, intakeEvent, viewForecast, viewItem } from '../testing/samples.ts';

const TOKEN = 'a'.repeat(22);

function photo(mark: string) {
  const photo = {
    id: 1,
    image_path: 'photo/1',
    image_url: `https://x.example/photos/${TOKEN}.jpg`,
    file_size: 1,
    upload_time: '2026-01-01T00:00:00Z',
  };
  return { type: 'exception', reason: 'damaged', text: mark, photos: [photo] } as const;
}

/** Writes two forecasts with reports, their view with items, and an idempotency key. */
async function fill({ intake, directory, keys }: OpenStores, tenantId: string, mark: string): Promise<void> {
  for (const no of [`F1${mark}`, `F2${mark}`]) {
    await accept(intake, acceptedForecast({ tenantId, forecastNo: no, trackingNumbers: [`T${no}`] }));
    await intake.record([
      intakeEvent({ eventId: `${no} arrival`, expressNo: `T${no}` }),
      intakeEvent({ eventId: `${no} exception`, forecastNo: no, detail: photo(mark) }),
      intakeEvent({ eventId: `${no} elsewhere`, forecastNo: no, warehouseCode: 'WH2' }),
    ]);
    const shown = viewForecast({ tenantId, forecastNo: no, poNumber: mark });
    await changeForecast(directory, no, () => ({ forecast: shown, items: [viewItem({ product_name_en: mark })] }));
  }
  const scope = { ownerId: tenantId, route: 'reportEvents', key: `key ${mark}` };
  await keys.add({ ...scope, fingerprint: 'f', seed: 's', claim: 'c', claimedUntil: 0, createdAt: 1, response: null });
}

describeTenantData('SQLite', ['photos', 'parcels', 'view_forecasts', 'declared_numbers', 'idempotency_keys'], async () => {
  const stores = openStores();
  return { ...stores, fill: (tenantId, mark) => fill(stores, tenantId, mark) };
});

test('a parcel is listed with what was reported of it; what belongs to no tenant stays', async () => {
  const stores = openStores();
  const unclaimed = intakeEvent({ expressNo: 'NOBODY' });
  await stores.intake.record([unclaimed]);
  await fill(stores, 'tnt_a', 'ALPHA');
  const [photos, parcels] = stores.data.kinds;
  const records = parcels === undefined ? [] : (await allRecords(parcels, 'tnt_a')).map(({ record }) => record);
  expect(records.map((record) => (record['events'] as readonly object[]).length)).toEqual([3, 3]);
  expect((await photos?.list?.('tnt_a', null))?.map(({ record }) => record['tokens'])).toEqual([[TOKEN], [TOKEN]]);
  for (const { erase } of stores.data.kinds) for (let erased = 1; erased > 0; ) erased = (await erase?.('tnt_a')) ?? 0;
  expect((await stores.intake.unclaimed(10)).map(({ event }) => event.eventId)).toEqual([unclaimed.eventId]);
  expect([...new Set(stores.retracted)].sort()).toEqual(['F1ALPHA', 'F2ALPHA']);
  await stores.close();
});
