import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiResponse, ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });
const read = async (poNumber = 'PO-1') => (await app.call('GET', `/open/v1/forecasts/${poNumber}`)).data;
const fieldErrors = (response: ApiResponse) => response.data.errors.map(({ field, rule }) => `${field} ${rule}`);

describe('a correction', () => {
  test('names every wrong field at once', async () => {
    await app.submit(app.submission());
    const body = {
      po_number: 'PO-2',
      forecast_type: 1,
      due_date: '2026-02-30',
      warehouse_code: 'NONE',
      shipping_label: null,
      carton_count: 0,
      items: [item({ forecast_quantity: '3' })],
    };
    const response = await app.correct('PO-1', body, { 'if-match': '1' });
    expect(response.code).toBe('42201');
    expect(fieldErrors(response).sort()).toEqual([
      'If-Match entity_tag',
      'carton_count minimum',
      'due_date format',
      'forecast_type not_correctable',
      'items[0].forecast_quantity type',
      'po_number not_correctable',
      'shipping_label type',
      'warehouse_code unknown_warehouse',
    ]);
    expect(fieldErrors(await app.correct('PO-1', {}))).toEqual([' min_properties']);
    expect(fieldErrors(await app.correct('PO-1', { items: [] }))).toEqual(['items min_items']);
    for (const body of ['[]', '"x"', 'null', '1']) expect((await app.correct('PO-1', body)).code).toBe('42201');
    expect((await read()).version).toBe(1);
  });

  test('takes files of the tenant alone, and warehouses in use', async () => {
    await app.submit(app.submission());
    const response = await app.correct('PO-1', { shipping_label: app.pdf('tnt_b'), shipping_note: 'https://example.com/a.pdf' });
    expect(response.code).toBe('42203');
    expect(fieldErrors(response)).toEqual(['shipping_label file_url', 'shipping_note file_url']);
    expect(fieldErrors(await app.correct('PO-1', { warehouse_code: 'NONE' }))).toEqual(['warehouse_code unknown_warehouse']);
    // Closed since: what stays as it is does not matter.
    await app.closeWarehouse('WH1');
    expect((await app.correct('PO-1', { warehouse_code: 'WH1' })).code).toBe('0');
  });

  test('of a forecast that the tenant does not have is not found', async () => {
    await app.submit(app.submission());
    expect((await app.correct('PO-2', { due_date: null })).code).toBe('40401');
    expect((await app.correct('PO-1', { due_date: null }, {}, 'tnt_b')).code).toBe('40401');
    expect((await app.correct('PO-1\u0000', { due_date: null })).code).toBe('40401');
    expect((await app.correct('PO-2', { due_date: 1 })).code).toBe('42201');
  });

  test('of numbers that another live forecast has is refused, and leaves its own', async () => {
    await app.submit(app.submission({ po_number: 'PO-1', items: [item({ tracking_number: 'AAAA' })] }));
    await app.submit(app.submission({ po_number: 'PO-2', items: [item({ tracking_number: 'BBBB' })] }));
    const response = await app.correct('PO-1', { items: [item(), item({ tracking_number: 'bb-bb' })] });
    expect(response).toMatchObject({ code: '42202', data: { tracking_numbers: ['BBBB'], fields: ['items[1].tracking_number'] } });
    expect((await read()).version).toBe(1);
    expect((await app.correct('PO-1', { items: [item({ tracking_number: 'CCCC' })] })).code).toBe('0');
    expect((await app.correct('PO-2', { items: [item({ tracking_number: 'AAAA' })] })).code).toBe('0');
    expect((await app.correct('PO-1', { items: [item({ tracking_number: 'AAAA' })] })).code).toBe('42202');
  });

  test('of a type 1 forecast claims nothing', async () => {
    const body = { forecast_type: 1, warehouse_code: 'WH1', items: [item()] };
    await app.submit({ ...body, po_number: 'PO-1' });
    await app.submit({ ...body, po_number: 'PO-2' });
    for (const po of ['PO-1', 'PO-2']) expect((await app.correct(po, { items: [item({ tracking_number: 'AAAA' })] })).code).toBe('0');
  });
});
