import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { EventPhoto } from '@parcelway/contracts/domain-events';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from '../../testing/forecast-harness.ts';

/* What a merchant reads of the reports of the warehouse. */

let app: ForecastHarness;
let forecastNo: string;
let serial = 0;
beforeEach(async () => {
  app = await ForecastHarness.open();
  const piece = { declared_weight_kg: 0.5, declared_length_cm: 10, declared_width_cm: 10, declared_height_cm: 10 };
  const items = [
    { sku_code: 'A', product_name_en: 'Lamp', forecast_quantity: 2, ...piece },
    { sku_code: 'B', product_name_en: 'Shade', forecast_quantity: 3, ...piece },
  ];
  forecastNo = (await app.submit(app.submission({ items }))).data.forecast_no;
});
afterEach(() => app.close());

const at = (seconds: number): string => isoInstant(START + 1000 * seconds);
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
const shown = (id: number) => ({ id, image_url: `https://localhost/photos/${id}`, file_size: 10 * id, upload_time: at(id) });
const weigh = (seconds: number, weight_kg: number, over: object = {}) =>
  app.deliver('warehouse.weighed', {
    ...from(seconds, over),
    length_cm: 20,
    width_cm: 20,
    height_cm: 15,
    weight_kg,
    photos: [],
    ...over,
  } as never);
const detail = async () => (await app.call('GET', '/open/v1/forecasts/PO-1')).data;
const weighing = async () => (await app.call('GET', '/open/v1/forecasts/weighing?po_number=PO-1')).data;

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

  test('are not written again by what is reported afterwards', async () => {
    await count('warehouse.arrived', 1, ...Array.from({ length: 2000 }, (_, index): [string, number] => [`SKU-${index}`, 1]));
    await weigh(2, 1);
    const { length } = app.db.get<{ length: number }>('SELECT length(progress) AS length FROM forecasts') as { length: number };
    expect(length).toBeLessThan(1000);
    expect((await detail()).received_items).toHaveLength(2002);
  });
});
