import { describe, expect, test } from '@jest/globals';
import { readDocumentName } from '@parcelway/contracts/document-url';
import { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { WeighingData } from '@parcelway/contracts/weighing-api';
import { isoInstant } from '@parcelway/kernel/clock';
import { app, FILE_SECRET, START, useHarness } from '../../testing/forecast-harness.ts';

useHarness();

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
      marketplace_label: expect.stringContaining('/files/label.'),
      marketplace_label_version: 1,
      packing_slip: expect.stringContaining('/files/slip.'),
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

  test.each(['a/b', 'ä 你好', '100%', 'cancel', 'a?b#c', '..', "'; DROP TABLE forecasts; --"])('finds %j', async (poNumber) => {
    expect((await app.submit(app.submission({ po_number: poNumber }))).code).toBe('0');
    const response = await app.call('GET', `/open/v1/forecasts/${encodeURIComponent(poNumber)}`);
    expect(response.data.po_number).toBe(poNumber);
  });

  test.each([['%ff'], ['PO-1%00'], ['%20PO-1'], ['x'.repeat(65)]])('responds to the path %s with not found', async (path) => {
    await app.submit(app.submission());
    expect((await app.call('GET', `/open/v1/forecasts/${path}`)).status).toBe(404);
  });
});

const named = (url: string) => readDocumentName(FILE_SECRET, 'sandbox', url.split('/files/')[1] ?? '');

test('a forecast has a product label and a packing slip from its acceptance on, of its current version', async () => {
  const { data: accepted } = await app.submit(app.submission());
  const { forecast_no: forecastNo } = accepted;
  const read = async () => (await app.call('GET', '/open/v1/forecasts/PO-1')).data;
  for (const version of [1, 2]) {
    if (version === 2) await app.correct('PO-1', { due_date: '2026-12-24' });
    const { marketplace_label, marketplace_label_version, packing_slip } = await read();
    expect(marketplace_label_version).toBe(version);
    expect(named(marketplace_label)).toEqual({ kind: 'label', tenantId: 'tnt_a', forecastNo, version });
    expect(named(packing_slip)).toEqual({ kind: 'slip', tenantId: 'tnt_a', forecastNo, version });
  }
  await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
  expect(await read()).toMatchObject({ status: 7, marketplace_label_version: 2, marketplace_label: expect.stringContaining('.v2-') });
});

describe('the weighing query', () => {
  const weighing = (query: string, tenant = 'tnt_a') => app.call('GET', `/open/v1/forecasts/weighing${query}`, { tenant });

  test('has nulls and empty lists before the weighing', async () => {
    await app.submit(app.submission());
    const response = await weighing('?po_number=PO-1');
    expect(compileValidator(WeighingData).errors(response.data)).toEqual([]);
    expect(response).toMatchObject({ status: 200, code: '0' });
    expect(response.data).toEqual({
      po_number: 'PO-1',
      status: 1,
      length_cm: null,
      width_cm: null,
      height_cm: null,
      weight_kg: null,
      weighing_images: [],
      forecast_images: [],
      on_hold: false,
      holds: [],
      exceptions: [],
    });
  });

  test.each([
    ['', '42201'],
    ['?po_number[$ne]=x', '42201'],
    ['?po_number=PO-1&po_number=PO-2', '42201'],
    ['?po_number=PO-1%00', '40401'],
    [`?po_number=${'x'.repeat(65)}`, '40401'],
    ['?po_number=PO-9', '40401'],
  ])('responds %j with %s', async (query, code) => {
    await app.submit(app.submission());
    expect((await weighing(query)).code).toBe(code);
  });
});

describe('the tracking query of a forecast without a parcel under watch', () => {
  const track = (query: string) => app.call('GET', `/open/v1/forecasts/tracking?${query}`);

  test('says that the parcel has not been shipped, and 50001 once it is until it is tracked', async () => {
    const { data: accepted } = await app.submit(app.submission());
    const nothing = { is_terminal: false, latest_status: '', nodes: [] };
    expect((await track('po_number=PO-1')).data).toEqual({ ...nothing, po_number: 'PO-1', is_shipped: false, shipments: [] });
    const from = { event_id: 'e1', warehouse_code: 'WH1', express_no: null, occurred_at: isoInstant(START) };
    const { forecast_no } = accepted;
    await app.deliver('warehouse.dispatched', { ...from, forecast_no, carrier_code: 'acme', tracking_number: 'T1' });
    expect(await track('po_number=PO-1')).toMatchObject({ status: 503, code: '50001', data: null });
    // One that tracking has forgotten.
    app.clock.advance(86_400_000);
    expect((await track('po_number=PO-1')).data).toEqual({
      ...nothing,
      po_number: 'PO-1',
      is_shipped: true,
      shipments: [{ carrier_code: 'acme', tracking_number: 'T1', dispatched_at: isoInstant(START), ...nothing }],
    });
  });
});
