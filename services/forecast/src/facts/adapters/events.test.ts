import { beforeEach, describe, expect, test } from '@jest/globals';
import type { EventPhoto } from '@parcelway/contracts/domain-events';
import { isoInstant } from '@parcelway/kernel/clock';
import { app, START, useHarness } from '../../testing/forecast-harness.ts';

/* What a warehouse reports on a forecast, what the service publishes of it, and what a merchant reads of it. */

useHarness();
let forecastNo: string;
let serial = 0;
beforeEach(async () => {
  const piece = { declared_weight_kg: 0.5, declared_length_cm: 10, declared_width_cm: 10, declared_height_cm: 10 };
  const items = [
    { sku_code: 'A', product_name_en: 'Lamp', forecast_quantity: 2, ...piece },
    { sku_code: 'B', product_name_en: 'Shade', forecast_quantity: 3, ...piece },
  ];
  forecastNo = (await app.submit(app.submission({ items }))).data.forecast_no;
});

const at = (seconds: number): string => isoInstant(START + 1000 * seconds);

/** Where and when a report was made; each is another event. */
const from = (seconds: number, over: object = {}) => {
  serial += 1;
  return { event_id: `we-${serial}`, forecast_no: forecastNo, warehouse_code: 'WH1', express_no: null, occurred_at: at(seconds), ...over };
};

const photo = (id: number): EventPhoto => ({
  id,
  image_path: `photos/${id}`,
  image_url: `https://localhost/photos/${id}`,
  file_size: 10 * id,
  upload_time: at(id),
});

const size = (weight_kg: number) => ({ length_cm: 20, width_cm: 20, height_cm: 15, weight_kg });

const weigh = (seconds: number, weight_kg: number, over: object = {}) =>
  app.deliver('warehouse.weighed', { ...from(seconds), ...size(weight_kg), photos: [], ...over });

const weighing = async () => (await app.call('GET', '/open/v1/forecasts/weighing?po_number=PO-1')).data;

const detail = async () => (await app.call('GET', '/open/v1/forecasts/PO-1')).data;

const publishedSince = async () => (await app.published()).filter(({ type }) => type !== 'forecast.accepted');

describe('a weighing', () => {
  test('is written back and announced with the status after it', async () => {
    const occurred = '2026-11-21T20:00:00+08:00';
    await weigh(1, 1.25, { occurred_at: occurred, express_no: 'xyz 1', photos: [photo(1), photo(2)] });
    expect(await weighing()).toMatchObject({ status: 3, ...size(1.25) });
    expect((await weighing()).weighing_images).toEqual([
      { ...photo(2), express_no: 'xyz 1' },
      { ...photo(1), express_no: 'xyz 1' },
    ]);
    expect(await publishedSince()).toMatchObject([
      {
        type: 'parcel.weighed',
        tenantid: 'tnt_a',
        subject: forecastNo,
        data: { po_number: 'PO-1', forecast_no: forecastNo, status: 3, weighed_at: occurred },
      },
    ]);
  });

  test('of two warehouses with the same event id counts twice', async () => {
    await weigh(1, 1, { event_id: 'same' });
    await weigh(2, 2, { event_id: 'same', warehouse_code: 'WH2' });
    expect((await detail()).measurements).toHaveLength(2);
  });
});

describe('what is published of a report', () => {
  const subject = () => ({ forecast_no: forecastNo, po_number: 'PO-1' });

  test('is the status after it, the warehouse and when it happened there', async () => {
    const progressed = (status: number) => ({ ...subject(), status, warehouse_code: 'WH1', occurred_at: at(5) });
    await app.deliver('warehouse.arrived', from(5));
    await app.deliver('warehouse.photographed', { ...from(5), photo: photo(1), image_type: 'package', image_order: 2 });
    await app.deliver('warehouse.processed', from(5));
    await app.deliver('warehouse.put-away', from(5));
    await app.deliver('warehouse.dispatched', { ...from(5), carrier_code: 'acme', tracking_number: 'TRACK1' });
    await app.deliver('tracking.changed', {
      forecast_no: forecastNo,
      po_number: 'PO-1',
      tracking_number: 'TRACK1',
      previous_admin_status: 'In Transit',
      admin_status: 'Delivery Success',
      is_terminal: true,
      changed_at: at(6),
    });
    expect((await publishedSince()).map(({ type, data }) => [type, data])).toEqual([
      ['parcel.arrived', progressed(2)],
      ['parcel.photographed', { ...progressed(2), image_type: 'package', image_order: 2, image_url: photo(1).image_url }],
      ['parcel.processed', progressed(4)],
      ['parcel.put_away', progressed(4)],
      ['forecast.dispatched', { ...subject(), status: 5, carrier_code: 'acme', tracking_number: 'TRACK1', dispatched_at: at(5) }],
      ['parcel.completed', { ...subject(), status: 6, reason: 'tracking_ended', completed_at: at(0) }],
    ]);
  });

  test('is an exception with its photos, and a hold or release with what holds after it', async () => {
    const [t1, t2, t3] = [at(1), at(2), at(3)];
    const progressed = (occurred_at: string) => ({ ...subject(), status: 1, warehouse_code: 'WH1', occurred_at });
    await app.deliver('warehouse.exception', {
      ...from(1),
      reason: 'damaged',
      text: 'Wet',
      photos: [photo(1)],
    });
    await app.deliver('warehouse.held', { ...from(1), reason: 'customs' });
    await app.deliver('warehouse.released', from(3));
    // Reported late: the release was after it.
    await app.deliver('warehouse.held', { ...from(2), reason: null });
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
});

const shown = (id: number) => ({ id, image_url: `https://localhost/photos/${id}`, file_size: 10 * id, upload_time: at(id) });

describe('measurements', () => {
  test('have the photos and the reporter of each, and the newest is compared with what was declared', async () => {
    await weigh(1, 2, { event_id: 'first', express_no: 'SF 1', photos: [photo(1), photo(2)] });
    await weigh(2, 3, { event_id: 'second', photos: [photo(2), photo(3)] });
    const { measurements, ...rest } = await detail();
    expect(measurements.map(({ weight_kg, photos, reported_by }) => ({ weight_kg, photos, reported_by }))).toEqual([
      { weight_kg: 3, photos: [shown(2), shown(3)], reported_by: { warehouse_code: 'WH1', event_id: 'second', express_no: null } },
      { weight_kg: 2, photos: [shown(1), shown(2)], reported_by: { warehouse_code: 'WH1', event_id: 'first', express_no: 'SF 1' } },
    ]);
    expect(rest).toMatchObject({
      measured: { weight_kg: 3, volume_cm3: 6000 },
      difference: { weight_kg: 0.5, volume_cm3: 1000 },
      volumetric_weight_kg: 1.2,
      chargeable_weight_kg: 3,
    });
  });
});

test('exceptions are shown latest first, with their photos', async () => {
  await app.deliver('warehouse.exception', { ...from(2), reason: 'damaged', text: 'Wet', photos: [photo(1), photo(2)] });
  await app.deliver('warehouse.exception', { ...from(1), reason: 'other', text: null, photos: [] });
  const exceptions = [
    { reason: 'damaged', text: 'Wet', occurred_at: at(2), photos: [shown(1), shown(2)] },
    { reason: 'other', text: null, occurred_at: at(1), photos: [] },
  ];
  expect((await detail()).exceptions).toEqual(exceptions);
  expect(await weighing()).toMatchObject({ status: 1, exceptions });
});

describe('received items', () => {
  const row = (sku_code: string, forecast_quantity: number, received_quantity: number) => ({
    sku_code,
    forecast_quantity,
    received_quantity,
    difference: received_quantity - forecast_quantity,
  });
  const count = (type: 'warehouse.arrived' | 'warehouse.processed' | 'warehouse.put-away', seconds: number, ...list: [string, number][]) =>
    app.deliver(type, { ...from(seconds), received_items: list.map(([sku_code, quantity]) => ({ sku_code, quantity })) });

  test('are the count made last against the forecast, with what was not forecast', async () => {
    await count('warehouse.put-away', 3, ['B', 3], ['X', 1]);
    expect((await detail()).received_items).toEqual([row('A', 2, 0), row('B', 3, 3), row('X', 0, 1)]);
    await count('warehouse.arrived', 1, ['A', 2]);
    await app.deliver('warehouse.processed', from(4));
    expect((await detail()).received_items).toEqual([row('A', 2, 0), row('B', 3, 3), row('X', 0, 1)]);
    await count('warehouse.processed', 5, ['A', 500_000], ['B', 0]);
    expect((await detail()).received_items).toEqual([row('A', 2, 500_000), row('B', 3, 0)]);
  });
});
