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
      warehouse_code: 'NOPE',
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
    const response = await app.submit(app.submission({ warehouse_code: 'NOPE', items }));
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

describe('hostile JSON', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  test.each<[string, string | Buffer, string]>([
    ['a duplicate name', '{"po_number":"a","po_number":"b"}', '40001'],
    ['an escaped duplicate name', '{"po_number":"a","po\\u005fnumber":"b"}', '40001'],
    ['depth 33', nested(33), '40001'],
    ['depth 100000', nested(100_000), '40001'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), '40001'],
    ['a lone surrogate', '{"po_number":"\\ud800"}', '40001'],
    ['truncated JSON', '{"po_number":', '40001'],
    ['nothing', '', '40001'],
    ['5 MB and 1 byte', `"${'x'.repeat(5 * 1024 * 1024 - 1)}"`, '41301'],
  ])('responds %s with the right code', async (_name, body, code) => {
    expect((await app.submit(body)).code).toBe(code);
    expect(await app.published()).toEqual([]);
  });

  test('refuses other media types and encodings', async () => {
    const response = await app.call('POST', '/open/v1/forecasts', { body: app.submission(), contentType: 'text/plain' });
    expect(response).toMatchObject({ status: 415, code: '41501' });
  });

  test('refuses 1e400 as a field error', async () => {
    const body = JSON.stringify(app.submission()).replace('"forecast_quantity":3', '"forecast_quantity":3,"forecast_price":1e400');
    expect((await app.submit(body)).data.errors).toContainEqual(expect.objectContaining({ field: 'items[0].forecast_price' }));
  });

  test('ignores __proto__ and constructor like any unknown field', async () => {
    const body = `{"__proto__":{"po_number":"EVIL"},"constructor":1,${JSON.stringify(app.submission()).slice(1)}`;
    const response = await app.submit(body);
    expect(response).toMatchObject({ code: '0', data: { po_number: 'PO-1' } });
    expect(response.data.warnings).toHaveLength(2);
    expect(({} as Record<string, unknown>)['po_number']).toBeUndefined();
    const detail = await app.call('GET', '/open/v1/forecasts/PO-1');
    expect(JSON.stringify(detail.data)).not.toContain('EVIL');
  });

  test('a missing po_number is not found on the prototype', async () => {
    const { po_number: _, ...rest } = app.submission();
    const body = `{"__proto__":{"po_number":"EVIL"},${JSON.stringify(rest).slice(1)}`;
    expect((await app.submit(body)).data.errors).toMatchObject([{ field: 'po_number', rule: 'required' }]);
  });
});

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
    expect((await app.submit(app.submission({ ...bad, warehouse_code: 'NOPE' }))).code).toBe('42201');
    expect((await app.submit(app.submission(bad))).code).toBe('42203');
    expect((await app.submit(app.submission({ ...bad, shipping_label: app.pdf() }))).code).toBe('42202');
  });
});
