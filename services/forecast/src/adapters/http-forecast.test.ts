import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

describe('a forecast read by its po_number', () => {
  test('shows everything submitted in its stored form, and its history', async () => {
    const submitted = app.submission({
      due_date: '2026-12-24',
      items: [
        { sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 3, hs_code: '85.13 10', tracking_number: 'a-b c1', barcode: '' },
      ],
    });
    const { data: accepted } = await app.submit(submitted);
    const { data } = await app.call('GET', '/open/v1/forecasts/PO-1');
    expect(compileValidator(ForecastDetail).errors(data)).toEqual([]);
    const nothing = { weight_kg: null, volume_cm3: null };
    expect(data).toEqual({
      forecast_no: accepted.forecast_no,
      po_number: 'PO-1',
      forecast_type: 2,
      warehouse_code: 'WH1',
      due_date: '2026-12-24',
      item_count: 1,
      version: 1,
      status: 1,
      status_name: 'ACCEPTED',
      create_time: accepted.create_time,
      update_time: accepted.create_time,
      shipping_label: submitted['shipping_label'],
      shipping_note: submitted['shipping_note'],
      marketplace_label: null,
      marketplace_label_version: null,
      packing_slip: null,
      carton_count: null,
      items: [{ sku_code: 'S', barcode: '', product_name_en: 'Lamp', forecast_quantity: 3, hs_code: '851310', tracking_number: 'ABC1' }],
      carrier_code: null,
      tracking_number: null,
      history: [{ status: 1, status_name: 'ACCEPTED', time: accepted.create_time, reason: 'submitted', key_id: 'key_test' }],
      measurements: [],
      has_exception: false,
      on_hold: false,
      holds: [],
      exceptions: [],
      received_items: [],
      declared: nothing,
      measured: nothing,
      difference: nothing,
      volumetric_weight_kg: null,
      chargeable_weight_kg: null,
      volume_divisor: 5000,
      corrections: [],
    });
  });

  test('names its version as the ETag', async () => {
    await app.submit(app.submission());
    expect((await app.call('GET', '/open/v1/forecasts/PO-1')).headers['etag']).toBe('"1"');
  });

  test.each(['a/b', 'ä 你好', '100%', 'cancel', 'a?b#c', '..', "'; DROP TABLE forecasts; --"])('finds %j', async (poNumber) => {
    expect((await app.submit(app.submission({ po_number: poNumber }))).code).toBe('0');
    const response = await app.call('GET', `/open/v1/forecasts/${encodeURIComponent(poNumber)}`);
    expect(response.data.po_number).toBe(poNumber);
  });

  test.each([['%ff'], ['PO-1%00'], ['%20PO-1'], ['x'.repeat(65)]])('responds to the path %s with not found', async (path) => {
    await app.submit(app.submission());
    expect((await app.call('GET', `/open/v1/forecasts/${path}`)).status).toBe(404);
  });

  test('of another tenant does not exist', async () => {
    await app.submit(app.submission());
    expect((await app.call('GET', '/open/v1/forecasts/PO-1', { tenant: 'tnt_b' })).code).toBe('40401');
  });
});

test('an unknown path is no endpoint', async () => {
  expect((await app.call('GET', '/open/v1/forecasts/PO-1/nothing')).code).toBe('40402');
});
