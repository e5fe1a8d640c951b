import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });

describe('file URLs', () => {
  test.each([
    ['another tenant', () => app.pdf('tnt_b')],
    ['another environment', () => app.pdf('tnt_a', 'A'.repeat(22), 'production')],
    ['nobody', () => 'https://example.com/label.pdf'],
    ['a changed base address', () => app.pdf().replace('localhost', 'example.com')],
  ])('of %s are refused by name', async (_name, url) => {
    const response = await app.submit(app.submission({ shipping_note: url() }));
    expect(response).toMatchObject({ status: 422, code: '42203', data: { errors: [{ field: 'shipping_note', rule: 'file_url' }] } });
  });

  test('are checked for type 1 too when given', async () => {
    const response = await app.submit(app.submission({ forecast_type: 1, shipping_label: 'https://example.com/label.pdf' }));
    expect(response.code).toBe('42203');
  });

  test('come after the fields and before uniqueness', async () => {
    await app.submit(app.submission({ items: [item({ tracking_number: 'AAAA' })] }));
    const bad = { po_number: 'PO-2', shipping_label: 'https://example.com/x.pdf', items: [item({ tracking_number: 'AAAA' })] };
    expect((await app.submit(app.submission({ ...bad, warehouse_code: 'NONE' }))).code).toBe('42201');
    expect((await app.submit(app.submission(bad))).code).toBe('42203');
    expect((await app.submit(app.submission({ ...bad, shipping_label: app.pdf() }))).code).toBe('42202');
  });
});
