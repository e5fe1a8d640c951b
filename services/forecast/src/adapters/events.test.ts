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

describe('photos of a forecast', () => {
  const attach = (id: number, order: number) =>
    forecast().app.deliver('warehouse.photographed', { ...forecast().from(), photo: photo(id), image_type: 'package', image_order: order });

  test('are listed by order and id, without a change of status', async () => {
    await attach(3, 2);
    await attach(2, 1);
    await attach(1, 2);
    const { status, forecast_images: images } = await weighing();
    expect(status).toBe(1);
    expect(images.map((image: { id: number }) => image.id)).toEqual([2, 1, 3]);
    expect(images[0]).toEqual({
      id: 2,
      forecast_id: expect.any(Number),
      image_type: 'package',
      image_url: 'https://localhost/photos/2',
      image_order: 1,
      upload_source: 'warehouse',
    });
  });
});

describe('the way of a parcel', () => {
  test('of type 2 goes from acceptance to the terminal node', async () => {
    await forecast().app.deliver('warehouse.arrived', forecast().from());
    await forecast().weigh(1);
    await forecast().app.deliver('warehouse.processed', forecast().from());
    await forecast().dispatch('TRACK1');
    await forecast().ended();
    const { history, status_name } = await detail();
    expect(status_name).toBe('COMPLETED');
    expect(history.map(({ status, reason }: { status: number; reason: string }) => `${status} ${reason}`)).toEqual([
      '1 submitted',
      '2 warehouse.arrived',
      '3 warehouse.weighed',
      '4 warehouse.processed',
      '5 warehouse.dispatched',
      '6 tracking.ended',
    ]);
  });

  test('of type 2 is not ended by put-away', async () => {
    await forecast().app.deliver('warehouse.put-away', forecast().from());
    expect((await detail()).status).toBe(1);
  });

  test('of type 1 takes no dispatch, is never shipped, and ends with put-away', async () => {
    forecast().no = (await forecast().app.submit(forecast().app.submission({ po_number: 'PO-1R', forecast_type: 1 }))).data.forecast_no;
    const read = async () => (await forecast().app.call('GET', '/open/v1/forecasts/PO-1R')).data;
    await expect(forecast().dispatch('TRACK1')).rejects.toMatchObject({ code: '40902', message: 'A type 1 forecast takes no dispatch' });
    await forecast().ended();
    expect(await read()).toMatchObject({ status: 1, carrier_code: null, tracking_number: null });
    expect(await forecast().announced('forecast.dispatched')).toEqual([]);
    await forecast().app.deliver('warehouse.arrived', forecast().from());
    expect(await forecast().app.call('POST', '/open/v1/forecasts/PO-1R/cancel')).toMatchObject({ code: '40902' });
    await forecast().app.deliver('warehouse.put-away', forecast().from());
    expect((await read()).status).toBe(6);
  });

  test('frees its logistics numbers at the end and keeps its po_number', async () => {
    const items = [{ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1, tracking_number: 'AAAA' }];
    const second = forecast().app.submission({ po_number: 'PO-2', items });
    expect((await forecast().app.submit(second)).code).toBe('42202');
    await forecast().ended();
    expect((await forecast().app.submit(second)).code).toBe('0');
    // The first, sent again, is still the first: its own numbers do not speak against it.
    expect((await forecast().app.submit(forecast().app.submission({ items }))).data.forecast_no).toBe(forecast().no);
  });

  test('is not touched by a tracking change that is not terminal', async () => {
    const data = {
      forecast_no: forecast().no,
      po_number: 'PO-1',
      previous_admin_status: '',
      admin_status: 'In Transit' as const,
      is_terminal: false,
      changed_at: isoInstant(START),
    };
    await forecast().app.deliver('tracking.changed', data);
    expect((await detail()).status).toBe(1);
  });
});

describe('a dispatch', () => {
  test('is announced once per change of carrier or number', async () => {
    await forecast().dispatch('TRACK1');
    await forecast().dispatch('TRACK1');
    await forecast().dispatch('TRACK2');
    await forecast().dispatch('TRACK2', { carrier_code: 'other' });
    const events = await forecast().announced('forecast.dispatched');
    expect(
      events.map(
        ({ data }) => `${(data as { carrier_code: string }).carrier_code} ${(data as { tracking_number: string }).tracking_number}`,
      ),
    ).toEqual(['acme TRACK1', 'acme TRACK2', 'other TRACK2']);
    expect(await detail()).toMatchObject({ status: 5, carrier_code: 'other', tracking_number: 'TRACK2' });
  });

  test('reported late does not replace a later one', async () => {
    await forecast().dispatch('TRACK2', { occurred_at: isoInstant(START + 9000) });
    await forecast().dispatch('TRACK1', { occurred_at: isoInstant(START + 8000) });
    expect(await detail()).toMatchObject({ tracking_number: 'TRACK2' });
    expect(await forecast().announced('forecast.dispatched')).toHaveLength(1);
  });
});

describe('an event that fits no forecast', () => {
  test.each(['unknown', 'foreign'])('is refused for good: %s', async (kind) => {
    const event = kind === 'unknown' ? forecast().from({ forecast_no: 'FC000000NOTHING' }) : forecast().from();
    const delivery = forecast().app.deliver('warehouse.arrived', event, { tenant: kind === 'unknown' ? 'tnt_a' : 'tnt_b' });
    await expect(delivery).rejects.toMatchObject({ code: '40403' });
    expect((await detail()).status).toBe(1);
  });
});
