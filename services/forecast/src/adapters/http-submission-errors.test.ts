import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });

describe('field errors', () => {
  test('come all at once, with an unknown warehouse among them', async () => {
    const response = await app.submit({
      po_number: ' x',
      warehouse_code: 'NONE',
      items: [item({ forecast_quantity: '3' }), { sku_code: '' }],
    });
    expect(response).toMatchObject({ status: 422, code: '42201' });
    const errors = response.data.errors.map(({ field, rule }: { field: string; rule: string }) => `${field} ${rule}`);
    expect(errors.sort()).toEqual(
      [
        'items[0].forecast_quantity type',
        'items[1].forecast_quantity required',
        'items[1].product_name_en required',
        'items[1].sku_code min_length',
        'po_number pattern',
        'shipping_label required',
        'shipping_note required',
        'warehouse_code unknown_warehouse',
      ].sort(),
    );
  });

  test.each([
    [{}, ', the default'],
    [{ forecast_type: 2 }, ''],
  ])('say why a file is required: %j', async (body, why) => {
    const { data } = await app.submit(body as Parameters<typeof app.submit>[0]);
    for (const field of ['shipping_label', 'shipping_note']) {
      expect(data.errors).toContainEqual({ field, rule: 'required', message: `${field} is required for forecast_type 2${why}` });
    }
  });

  test('are at most 100, the unknown warehouse included', async () => {
    const items = Array.from({ length: 300 }, () => ({}));
    const response = await app.submit(app.submission({ warehouse_code: 'NONE', items }));
    expect(response.data.errors).toHaveLength(100);
    expect(response.data.errors).toContainEqual(expect.objectContaining({ rule: 'unknown_warehouse' }));
  });

  test.each([
    ['no items', { items: [] }, 'items', 'min_items'],
    ['2001 items', { items: Array.from({ length: 2001 }, () => item()) }, 'items', 'max_items'],
    ['a type 3', { forecast_type: 3 }, 'forecast_type', 'enum'],
    ['a type as text', { forecast_type: '2' }, 'forecast_type', 'type'],
    ['a null', { due_date: null }, 'due_date', 'type'],
    ['a date that does not exist', { due_date: '2027-02-29' }, 'due_date', 'format'],
    ['a long po_number', { po_number: 'x'.repeat(65) }, 'po_number', 'max_length'],
    ['NUL in the po_number', { po_number: 'a\u0000b' }, 'po_number', 'pattern'],
    ['NUL in a name', { items: [item({ product_name_en: 'a\u0000b' })] }, 'items[0].product_name_en', 'pattern'],
    ['an operator object', { po_number: { $ne: null } }, 'po_number', 'type'],
    [
      "a forecast's number",
      { items: [item(), item({ tracking_number: 'fc-261121 k7q0z4m2xt' })] },
      'items[1].tracking_number',
      'forecast_no',
    ],
    ['a short logistics number', { items: [item({ tracking_number: 'a - b-c' })] }, 'items[0].tracking_number', 'pattern'],
    ['a quantity of 0', { items: [item({ forecast_quantity: 0 })] }, 'items[0].forecast_quantity', 'minimum'],
    ['a quantity of 500001', { items: [item({ forecast_quantity: 500001 })] }, 'items[0].forecast_quantity', 'maximum'],
    ['half a piece', { items: [item({ forecast_quantity: 1.5 })] }, 'items[0].forecast_quantity', 'type'],
    ['a price over the limit', { items: [item({ forecast_price: 100000000 })] }, 'items[0].forecast_price', 'maximum'],
    ['an HS code of 5 digits', { items: [item({ hs_code: '12.34.5' })] }, 'items[0].hs_code', 'pattern'],
    ['a label over http', { shipping_label: 'http://localhost/files/x.pdf' }, 'shipping_label', 'format'],
  ])('refuses %s', async (_name, over, field, rule) => {
    const response = await app.submit(app.submission(over));
    expect(response.code).toBe('42201');
    expect(response.data.errors).toContainEqual(expect.objectContaining({ field, rule }));
    expect(await app.published()).toEqual([]);
  });

  test.each([[null], [[]], ['text'], [42], [{}]])('refuses %j as a body', async (body) => {
    expect(await app.submit(JSON.stringify(body))).toMatchObject({ status: 422, code: '42201' });
  });
});
