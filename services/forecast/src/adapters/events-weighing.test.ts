import { describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { START } from '../testing/forecast-harness.ts';
import { photo, size, useReportedForecast } from '../testing/reported-forecast.ts';

const forecast = useReportedForecast();
const weighing = async () => (await forecast().app.call('GET', '/open/v1/forecasts/weighing?po_number=PO-1')).data;
const detail = async () => (await forecast().app.call('GET', '/open/v1/forecasts/PO-1')).data;

describe('a weighing', () => {
  test('is written back and announced with the status after it', async () => {
    const occurred = '2026-11-21T20:00:00+08:00';
    await forecast().weigh(1.25, { occurred_at: occurred, express_no: 'xyz 1', photos: [photo(1), photo(2, START + 5)] });
    expect(await weighing()).toMatchObject({ status: 3, ...size(1.25) });
    expect((await weighing()).weighing_images).toEqual([
      {
        id: 2,
        express_no: 'xyz 1',
        image_path: 'photos/2',
        image_url: 'https://localhost/photos/2',
        file_size: 20,
        upload_time: isoInstant(START + 5),
      },
      {
        id: 1,
        express_no: 'xyz 1',
        image_path: 'photos/1',
        image_url: 'https://localhost/photos/1',
        file_size: 10,
        upload_time: isoInstant(START),
      },
    ]);
    expect(await forecast().announced('parcel.weighed')).toMatchObject([
      {
        tenantid: 'tnt_a',
        subject: forecast().no,
        data: { po_number: 'PO-1', forecast_no: forecast().no, status: 3, weighed_at: occurred },
      },
    ]);
  });

  test('delivered again has one effect, also in a new envelope', async () => {
    const event = { ...forecast().from(), ...size(1), photos: [photo(1)] };
    await forecast().app.deliver('warehouse.weighed', event, { id: 'evt_1' });
    await forecast().app.deliver('warehouse.weighed', event, { id: 'evt_1' });
    await Promise.all([1, 2, 3].map(() => forecast().app.deliver('warehouse.weighed', event)));
    expect(await forecast().announced('parcel.weighed')).toHaveLength(1);
    expect((await detail()).measurements).toHaveLength(1);
    expect((await weighing()).weighing_images).toHaveLength(1);
  });

  test('of two warehouses with the same event id counts twice', async () => {
    await forecast().weigh(1, { event_id: 'same' });
    await forecast().weigh(2, { event_id: 'same', warehouse_code: 'WH2' });
    expect((await detail()).measurements).toHaveLength(2);
  });

  test('done again replaces the current one, keeps the status and the history', async () => {
    await forecast().weigh(1, { occurred_at: isoInstant(START + 100) });
    await forecast().app.deliver('warehouse.processed', forecast().from());
    await forecast().weigh(2, { occurred_at: isoInstant(START + 200) });
    expect(await weighing()).toMatchObject({ status: 4, weight_kg: 2 });
    // An older one that comes late goes into the history only, and is announced like any other.
    await forecast().weigh(3, { occurred_at: isoInstant(START + 150) });
    expect(await weighing()).toMatchObject({ status: 4, weight_kg: 2 });
    expect((await detail()).measurements.map((entry: { weight_kg: number }) => entry.weight_kg)).toEqual([2, 3, 1]);
    expect((await forecast().announced('parcel.weighed')).map(({ data }) => (data as { status: number }).status)).toEqual([3, 4, 4]);
  });

  test('is compared by instant, not by text', async () => {
    await forecast().weigh(1, { occurred_at: '2026-11-21T12:00:00+00:00' });
    await forecast().weigh(2, { occurred_at: '2026-11-21T19:00:00+08:00' });
    expect(await weighing()).toMatchObject({ weight_kg: 1 });
  });

  test('of a cancelled forecast is recorded and announced; the forecast stays cancelled', async () => {
    await forecast().app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    await forecast().weigh(1);
    expect(await weighing()).toMatchObject({ status: 7, weight_kg: 1 });
    expect(await forecast().announced('parcel.weighed')).toMatchObject([{ data: { status: 7 } }]);
  });
});

test('a weighing that the query by po_number would not show is recorded and not announced', async () => {
  await forecast().app.call('POST', '/open/v1/forecasts/PO-1/cancel');
  const again = await forecast().app.submit(forecast().app.submission());
  expect(again.code).toBe('0');
  await forecast().weigh(1);
  expect(await weighing()).toMatchObject({ status: 1, weight_kg: null });
  expect(await forecast().announced('parcel.weighed')).toEqual([]);
  // Once the live one is cancelled too, the newest is shown: still not the one that was weighed.
  await forecast().app.call('POST', '/open/v1/forecasts/PO-1/cancel');
  await forecast().weigh(2);
  expect(await forecast().announced('parcel.weighed')).toEqual([]);
  await forecast().weigh(3, { forecast_no: again.data.forecast_no });
  expect(await weighing()).toMatchObject({ status: 7, weight_kg: 3 });
  expect(await forecast().announced('parcel.weighed')).toMatchObject([{ subject: again.data.forecast_no }]);
});
