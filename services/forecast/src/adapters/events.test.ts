import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { EventPhoto } from '@parcelway/contracts/domain-events';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from '../testing/forecast-harness.ts';

let app: ForecastHarness;
let forecastNo: string;
beforeEach(async () => {
  app = await ForecastHarness.open();
  const items = [{ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1, tracking_number: 'AAAA' }];
  forecastNo = (await app.submit(app.submission({ items }))).data.forecast_no;
});
afterEach(() => app.close());

let serial = 0;
const from = (over: object = {}) => {
  serial += 1;
  return {
    event_id: `we-${serial}`,
    forecast_no: forecastNo,
    warehouse_code: 'WH1',
    express_no: null,
    occurred_at: isoInstant(START + serial),
    ...over,
  };
};
const photo = (id: number, uploadedAt = START): EventPhoto => ({
  id,
  image_path: `photos/${id}`,
  image_url: `https://localhost/photos/${id}`,
  file_size: 10 * id,
  upload_time: isoInstant(uploadedAt),
});
const size = (weight_kg: number) => ({ length_cm: 10, width_cm: 20.5, height_cm: 30, weight_kg });
const weigh = (weight: number, over: object = {}) =>
  app.deliver('warehouse.weighed', { ...from(over), ...size(weight), photos: [], ...over } as never);
const dispatch = (number: string, over: object = {}) =>
  app.deliver('warehouse.dispatched', { ...from(over), carrier_code: 'acme', tracking_number: number, ...over } as never);
const ended = (id?: string) =>
  app.deliver(
    'tracking.changed',
    {
      forecast_no: forecastNo,
      po_number: 'PO-1',
      previous_admin_status: 'In Transit',
      admin_status: 'Delivery Success',
      is_terminal: true,
      changed_at: isoInstant(START),
    },
    id === undefined ? {} : { id },
  );
const weighing = async () => (await app.call('GET', '/open/v1/forecasts/weighing?po_number=PO-1')).data;
const detail = async () => (await app.call('GET', '/open/v1/forecasts/PO-1')).data;
const announced = async (type: string) => (await app.published()).filter((event) => event.type === type);

describe('a weighing', () => {
  test('is written back and announced with the status after it', async () => {
    const occurred = '2026-11-21T20:00:00+08:00';
    await weigh(1.25, { occurred_at: occurred, express_no: 'xyz 1', photos: [photo(1), photo(2, START + 5)] });
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
    expect(await announced('parcel.weighed')).toMatchObject([
      { tenantid: 'tnt_a', subject: forecastNo, data: { po_number: 'PO-1', forecast_no: forecastNo, status: 3, weighed_at: occurred } },
    ]);
  });

  test('delivered again has one effect, also in a new envelope', async () => {
    const event = { ...from(), ...size(1), photos: [photo(1)] };
    await app.deliver('warehouse.weighed', event, { id: 'evt_1' });
    await app.deliver('warehouse.weighed', event, { id: 'evt_1' });
    await Promise.all([1, 2, 3].map(() => app.deliver('warehouse.weighed', event)));
    expect(await announced('parcel.weighed')).toHaveLength(1);
    expect((await detail()).measurements).toHaveLength(1);
    expect((await weighing()).weighing_images).toHaveLength(1);
  });

  test('of two warehouses with the same event id counts twice', async () => {
    await weigh(1, { event_id: 'same' });
    await weigh(2, { event_id: 'same', warehouse_code: 'WH2' });
    expect((await detail()).measurements).toHaveLength(2);
  });

  test('done again replaces the current one, keeps the status and the history', async () => {
    await weigh(1, { occurred_at: isoInstant(START + 100) });
    await app.deliver('warehouse.processed', from());
    await weigh(2, { occurred_at: isoInstant(START + 200) });
    expect(await weighing()).toMatchObject({ status: 4, weight_kg: 2 });
    // An older one that comes late goes into the history only, and is announced like any other.
    await weigh(3, { occurred_at: isoInstant(START + 150) });
    expect(await weighing()).toMatchObject({ status: 4, weight_kg: 2 });
    expect((await detail()).measurements.map((entry: { weight_kg: number }) => entry.weight_kg)).toEqual([2, 3, 1]);
    expect((await announced('parcel.weighed')).map(({ data }) => (data as { status: number }).status)).toEqual([3, 4, 4]);
  });

  test('is compared by instant, not by text', async () => {
    await weigh(1, { occurred_at: '2026-11-21T12:00:00+00:00' });
    await weigh(2, { occurred_at: '2026-11-21T19:00:00+08:00' });
    expect(await weighing()).toMatchObject({ weight_kg: 1 });
  });

  test('of a cancelled forecast is recorded and announced; the forecast stays cancelled', async () => {
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    await weigh(1);
    expect(await weighing()).toMatchObject({ status: 7, weight_kg: 1 });
    expect(await announced('parcel.weighed')).toMatchObject([{ data: { status: 7 } }]);
  });
});

test('a weighing that the query by po_number would not show is recorded and not announced', async () => {
  await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
  const again = await app.submit(app.submission());
  expect(again.code).toBe('0');
  await weigh(1);
  expect(await weighing()).toMatchObject({ status: 1, weight_kg: null });
  expect(await announced('parcel.weighed')).toEqual([]);
  // Once the live one is cancelled too, the newest is shown: still not the one that was weighed.
  await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
  await weigh(2);
  expect(await announced('parcel.weighed')).toEqual([]);
  await weigh(3, { forecast_no: again.data.forecast_no });
  expect(await weighing()).toMatchObject({ status: 7, weight_kg: 3 });
  expect(await announced('parcel.weighed')).toMatchObject([{ subject: again.data.forecast_no }]);
});

describe('photos of a forecast', () => {
  const attach = (id: number, order: number) =>
    app.deliver('warehouse.photographed', { ...from(), photo: photo(id), image_type: 'package', image_order: order });

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
    await app.deliver('warehouse.arrived', from());
    await weigh(1);
    await app.deliver('warehouse.processed', from());
    await dispatch('TRACK1');
    await ended();
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
    await app.deliver('warehouse.put-away', from());
    expect((await detail()).status).toBe(1);
  });

  test('of type 1 takes no dispatch, is never shipped, and ends with put-away', async () => {
    forecastNo = (await app.submit(app.submission({ po_number: 'PO-1R', forecast_type: 1 }))).data.forecast_no;
    const read = async () => (await app.call('GET', '/open/v1/forecasts/PO-1R')).data;
    await expect(dispatch('TRACK1')).rejects.toMatchObject({ code: '40902', message: 'A type 1 forecast takes no dispatch' });
    await ended();
    expect(await read()).toMatchObject({ status: 1, carrier_code: null, tracking_number: null });
    expect(await announced('forecast.dispatched')).toEqual([]);
    await app.deliver('warehouse.arrived', from());
    expect(await app.call('POST', '/open/v1/forecasts/PO-1R/cancel')).toMatchObject({ code: '40902' });
    await app.deliver('warehouse.put-away', from());
    expect((await read()).status).toBe(6);
  });

  test('frees its logistics numbers at the end and keeps its po_number', async () => {
    const items = [{ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1, tracking_number: 'AAAA' }];
    const second = app.submission({ po_number: 'PO-2', items });
    expect((await app.submit(second)).code).toBe('42202');
    await ended();
    expect((await app.submit(second)).code).toBe('0');
    // The first, sent again, is still the first: its own numbers do not speak against it.
    expect((await app.submit(app.submission({ items }))).data.forecast_no).toBe(forecastNo);
  });

  test('is not touched by a tracking change that is not terminal', async () => {
    const data = {
      forecast_no: forecastNo,
      po_number: 'PO-1',
      previous_admin_status: '',
      admin_status: 'In Transit' as const,
      is_terminal: false,
      changed_at: isoInstant(START),
    };
    await app.deliver('tracking.changed', data);
    expect((await detail()).status).toBe(1);
  });
});

describe('a dispatch', () => {
  test('is announced once per change of carrier or number', async () => {
    await dispatch('TRACK1');
    await dispatch('TRACK1');
    await dispatch('TRACK2');
    await dispatch('TRACK2', { carrier_code: 'other' });
    const events = await announced('forecast.dispatched');
    expect(
      events.map(
        ({ data }) => `${(data as { carrier_code: string }).carrier_code} ${(data as { tracking_number: string }).tracking_number}`,
      ),
    ).toEqual(['acme TRACK1', 'acme TRACK2', 'other TRACK2']);
    expect(await detail()).toMatchObject({ status: 5, carrier_code: 'other', tracking_number: 'TRACK2' });
  });

  test('reported late does not replace a later one', async () => {
    await dispatch('TRACK2', { occurred_at: isoInstant(START + 9000) });
    await dispatch('TRACK1', { occurred_at: isoInstant(START + 8000) });
    expect(await detail()).toMatchObject({ tracking_number: 'TRACK2' });
    expect(await announced('forecast.dispatched')).toHaveLength(1);
  });
});

describe('what is published of a report', () => {
  const publishedSince = async () => (await app.published()).filter(({ type }) => type !== 'forecast.accepted');
  const subject = () => ({ forecast_no: forecastNo, po_number: 'PO-1' });
  const at = isoInstant(START + 5000);

  test('is the status after it, the warehouse and when it happened there', async () => {
    const report = () => from({ occurred_at: at });
    const progressed = (status: number) => ({ ...subject(), status, warehouse_code: 'WH1', occurred_at: at });
    await app.deliver('warehouse.arrived', report());
    await app.deliver('warehouse.photographed', { ...report(), photo: photo(1), image_type: 'package', image_order: 2 });
    await app.deliver('warehouse.processed', report());
    await app.deliver('warehouse.put-away', report());
    await dispatch('TRACK1', { occurred_at: at });
    await ended();
    expect((await publishedSince()).map(({ type, data }) => [type, data])).toEqual([
      ['parcel.arrived', progressed(2)],
      ['parcel.photographed', { ...progressed(2), image_type: 'package', image_order: 2, image_url: photo(1).image_url }],
      ['parcel.processed', progressed(4)],
      ['parcel.put_away', progressed(4)],
      ['forecast.dispatched', { ...subject(), status: 5, carrier_code: 'acme', tracking_number: 'TRACK1', dispatched_at: at }],
      ['parcel.completed', { ...subject(), status: 6, reason: 'tracking_ended', completed_at: isoInstant(START) }],
    ]);
  });

  test('is an exception with its photos, and a hold or release with what holds after it', async () => {
    const [t1, t2, t3] = [isoInstant(START + 1000), isoInstant(START + 2000), isoInstant(START + 3000)];
    const progressed = (occurred_at: string) => ({ ...subject(), status: 1, warehouse_code: 'WH1', occurred_at });
    await app.deliver('warehouse.exception', { ...from({ occurred_at: t1 }), reason: 'damaged', text: 'Wet', photos: [photo(1)] });
    await app.deliver('warehouse.held', { ...from({ occurred_at: t1 }), reason: 'customs' });
    await app.deliver('warehouse.released', from({ occurred_at: t3 }));
    // Reported late: the release was after it.
    await app.deliver('warehouse.held', { ...from({ occurred_at: t2 }), reason: null });
    const first = { reason: 'customs', held_at: t1, released_at: t3 };
    expect((await publishedSince()).map(({ type, data }) => [type, data])).toEqual([
      ['parcel.exception', { ...progressed(t1), reason: 'damaged', text: 'Wet', photos: [photo(1)] }],
      ['parcel.held', { ...progressed(t1), reason: 'customs', hold_reports: 1, on_hold: true, holds: [{ ...first, released_at: null }] }],
      ['parcel.released', { ...progressed(t3), hold_reports: 2, on_hold: false, holds: [first] }],
      [
        'parcel.held',
        {
          ...progressed(t2),
          reason: null,
          hold_reports: 3,
          on_hold: false,
          holds: [{ reason: null, held_at: t2, released_at: t3 }, first],
        },
      ],
    ]);
  });

  test('is what was put away, when the warehouse counted it', async () => {
    await app.deliver('warehouse.put-away', { ...from(), received_items: [{ sku_code: 'S', quantity: 2 }] });
    expect(await publishedSince()).toMatchObject([{ type: 'parcel.put_away', data: { received_items: [{ sku_code: 'S', quantity: 2 }] } }]);
  });

  test('names the latest holds, not all of a forecast that is held without end', async () => {
    for (let at = 1; at <= 30; at += 1)
      await app.deliver('warehouse.held', { ...from({ occurred_at: isoInstant(START + at) }), reason: null });
    const holds = (await announced('parcel.held')).map(({ data }) => (data as { holds: { held_at: string }[] }).holds).at(-1);
    expect(holds).toHaveLength(20);
    expect(holds?.[0]?.held_at).toBe(isoInstant(START + 30));
  });

  test('is the completion by put-away of a type 1 forecast, once', async () => {
    forecastNo = (await app.submit(app.submission({ po_number: 'PO-1R', forecast_type: 1 }))).data.forecast_no;
    await app.deliver('warehouse.put-away', from());
    await app.deliver('warehouse.put-away', from());
    await app.deliver('warehouse.arrived', from());
    expect((await publishedSince()).map(({ type, data }) => `${type} ${(data as { status: number }).status}`)).toEqual([
      'parcel.put_away 6',
      'parcel.completed 6',
      'parcel.put_away 6',
      'parcel.arrived 6',
    ]);
    expect(await announced('parcel.completed')).toMatchObject([{ data: { reason: 'put_away' } }]);
  });

  test('delivered again is published once', async () => {
    const arrival = from();
    await Promise.all([1, 2, 3].map(() => app.deliver('warehouse.arrived', arrival)));
    expect(await publishedSince()).toHaveLength(1);
  });

  test('is nothing when the query by po_number shows another forecast', async () => {
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    await app.submit(app.submission());
    await app.deliver('warehouse.arrived', from());
    await app.deliver('warehouse.photographed', { ...from(), photo: photo(1), image_type: 'package', image_order: 2 });
    await app.deliver('warehouse.processed', from());
    await app.deliver('warehouse.put-away', from());
    await app.deliver('warehouse.exception', { ...from(), reason: 'other', text: null, photos: [] });
    await app.deliver('warehouse.held', { ...from(), reason: null });
    await app.deliver('warehouse.released', from());
    expect((await publishedSince()).map(({ type }) => type)).toEqual(['forecast.cancelled']);
  });
});

describe('an event that fits no forecast', () => {
  test.each(['unknown', 'foreign'])('is refused for good: %s', async (kind) => {
    const event = kind === 'unknown' ? from({ forecast_no: 'FC000000NOTHING' }) : from();
    const delivery = app.deliver('warehouse.arrived', event, { tenant: kind === 'unknown' ? 'tnt_a' : 'tnt_b' });
    await expect(delivery).rejects.toMatchObject({ code: '40403' });
    expect((await detail()).status).toBe(1);
  });
});
