import { describe, expect, test } from '@jest/globals';
import type { ForecastSummary } from '@parcelway/contracts/forecast-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { useSharedStageWithMerchant } from '../use-stage.ts';

interface ForecastPage {
  readonly forecasts: readonly ForecastSummary[];
  readonly next_cursor: string | null;
}

const { merchant } = useSharedStageWithMerchant();

type Body = Record<string, unknown> & { items: Array<Record<string, unknown>> };

async function bodyWith(change: (body: Body, item: Record<string, unknown>) => void, type: 1 | 2 = 1): Promise<Body> {
  const body = (await merchant.body({ forecastType: type })) as Body;
  change(body, body.items[0] as Record<string, unknown>);
  return body;
}

async function fieldErrors(body: unknown): Promise<Array<{ field: string; rule: string }>> {
  const response = await merchant.submitBody(body);
  expect(response.code).toBe('42201');
  return (response.data as unknown as { errors: Array<{ field: string; rule: string }> }).errors;
}

describe('required fields', () => {
  test('all that are missing are named at once', async () => {
    const fields = (await fieldErrors({ items: [{}] })).filter(({ rule }) => rule === 'required').map(({ field }) => field);
    expect(new Set(fields)).toEqual(
      new Set([
        'po_number',
        'warehouse_code',
        'shipping_label',
        'shipping_note',
        'items[0].sku_code',
        'items[0].product_name_en',
        'items[0].forecast_quantity',
      ]),
    );
  });

  test('the type defaults to 2, so that the files are required without it', async () => {
    const body = await bodyWith((body) => void delete body.forecast_type);
    expect((await fieldErrors(body)).map(({ field }) => field).sort()).toEqual(['shipping_label', 'shipping_note']);
  });

  test('the default type is 2 in what is stored', async () => {
    const body = await bodyWith((body) => void delete body.forecast_type, 2);
    expect((await merchant.submitBody(body)).code).toBe('0');
    expect((await merchant.forecast(String(body.po_number))).forecast_type).toBe(2);
  });
});

type Change = (body: Body, item: Record<string, unknown>) => void;
const refused: ReadonlyArray<readonly [string, string, Change]> = [
  ['po_number empty', 'po_number', (body) => (body.po_number = '')],
  ['po_number of 65', 'po_number', (body) => (body.po_number = 'x'.repeat(65))],
  ['po_number with a blank at its edge', 'po_number', (body) => (body.po_number = ' PO')],
  ['po_number with NUL', 'po_number', (body) => (body.po_number = 'P\u0000O')],
  ['po_number with a line feed', 'po_number', (body) => (body.po_number = 'P\nO')],
  ['po_number as a number', 'po_number', (body) => (body.po_number = 12345)],
  ['forecast_type 3', 'forecast_type', (body) => (body.forecast_type = 3)],
  ['forecast_type as text', 'forecast_type', (body) => (body.forecast_type = '1')],
  ['unknown warehouse', 'warehouse_code', (body) => (body.warehouse_code = 'NOWHERE')],
  ['warehouse in other case', 'warehouse_code', (body) => (body.warehouse_code = String(body.warehouse_code).toLowerCase())],
  ['due_date that does not exist', 'due_date', (body) => (body.due_date = '2027-02-29')],
  ['due_date with a time', 'due_date', (body) => (body.due_date = '2027-02-20T00:00:00Z')],
  ['items absent', 'items', (body) => void delete (body as Record<string, unknown>).items],
  ['items empty', 'items', (body) => (body.items = [])],
  ['items as an object', 'items', (body) => ((body as Record<string, unknown>).items = {})],
  ['sku_code of 101', 'items[0].sku_code', (_body, item) => (item.sku_code = 'x'.repeat(101))],
  ['barcode of 65', 'items[0].barcode', (_body, item) => (item.barcode = '1'.repeat(65))],
  ['product_name_en of 201', 'items[0].product_name_en', (_body, item) => (item.product_name_en = 'x'.repeat(201))],
  ['product_name_cn of 501', 'items[0].product_name_cn', (_body, item) => (item.product_name_cn = '衣'.repeat(501))],
  ['product_image as ftp', 'items[0].product_image', (_body, item) => (item.product_image = 'ftp://example.com/a.png')],
  ['product_image of 2049', 'items[0].product_image', (_body, item) => (item.product_image = `https://example.com/${'a'.repeat(2029)}`)],
  ['quantity 0', 'items[0].forecast_quantity', (_body, item) => (item.forecast_quantity = 0)],
  ['quantity 500001', 'items[0].forecast_quantity', (_body, item) => (item.forecast_quantity = 500_001)],
  ['quantity 1.5', 'items[0].forecast_quantity', (_body, item) => (item.forecast_quantity = 1.5)],
  ['quantity as text', 'items[0].forecast_quantity', (_body, item) => (item.forecast_quantity = '10')],
  ['price below 0', 'items[0].forecast_price', (_body, item) => (item.forecast_price = -0.01)],
  ['price too high', 'items[0].forecast_price', (_body, item) => (item.forecast_price = 100_000_000)],
  ['hs_code of 5 digits', 'items[0].hs_code', (_body, item) => (item.hs_code = '61.09.1')],
  ['hs_code of 14 digits', 'items[0].hs_code', (_body, item) => (item.hs_code = '61091000000000')],
  ['hs_code with letters', 'items[0].hs_code', (_body, item) => (item.hs_code = '6109AB')],
  ['tracking_number of 3', 'items[0].tracking_number', (_body, item) => (item.tracking_number = 'A- B C')],
  ['tracking_number of 65', 'items[0].tracking_number', (_body, item) => (item.tracking_number = 'A'.repeat(65))],
];

const taken: ReadonlyArray<readonly [string, Change]> = [
  ['po_number of 64', (body) => (body.po_number = newPoNumber().padEnd(64, 'x'))],
  ['po_number of one character', (body) => (body.po_number = '!')],
  ['po_number with blanks, slash, percent and other scripts inside', (body) => (body.po_number = `订单 a/b%2F?${newPoNumber()}`)],
  ['sku_code of 100', (_body, item) => (item.sku_code = 'x'.repeat(100))],
  ['barcode empty', (_body, item) => (item.barcode = '')],
  ['product_name_en of 200', (_body, item) => (item.product_name_en = 'x'.repeat(200))],
  ['product_name_cn of 500 characters beyond the basic plane', (_body, item) => (item.product_name_cn = '𠮷'.repeat(500))],
  ['product_image over http', (_body, item) => (item.product_image = 'http://example.com/a.png')],
  ['product_image of 2048', (_body, item) => (item.product_image = `https://example.com/${'a'.repeat(2028)}`)],
  ['quantity 500000', (_body, item) => (item.forecast_quantity = 500_000)],
  ['price 99999999.9999', (_body, item) => (item.forecast_price = 99_999_999.9999)],
  ['price 0', (_body, item) => (item.forecast_price = 0)],
  ['hs_code of 6 digits with dots and blanks', (_body, item) => (item.hs_code = '61.09 10')],
  ['hs_code of 13 digits', (_body, item) => (item.hs_code = '6109100000000')],
  ['tracking_number of 4 once normalised', (_body, item) => (item.tracking_number = ' a-b c d ')],
  ['due_date on a leap day', (body) => (body.due_date = '2028-02-29')],
];

describe('limits', () => {
  test.each(refused)('%s is refused on %s', async (_name, field, change) => {
    const errors = await fieldErrors(await bodyWith(change));
    expect([...new Set(errors.map((error) => error.field))]).toEqual([field]);
  });

  test.each(taken)('%s is taken', async (_name, change) => {
    const body = await bodyWith(change);
    const response = await merchant.submitBody(body);
    expect(response).toMatchObject({ code: '0', data: { po_number: body.po_number } });
    expect((await merchant.forecast(String(body.po_number))).items).toHaveLength(1);
  });

  test('2000 items are accepted, 2001 are refused', async () => {
    const accepted = await merchant.submit({ items: 2000, trackingNumber: newPoNumber() });
    expect(accepted.item_count).toBe(2000);
    expect((await merchant.forecast(accepted.po_number)).items).toHaveLength(2000);
    expect(await fieldErrors(await merchant.body({ items: 2001 }))).toEqual([
      expect.objectContaining({ field: 'items', rule: 'max_items' }),
    ]);
  });

  test('at most 100 errors are listed', async () => {
    const body = await merchant.body({ items: 300, forecastType: 1 });
    for (const item of body.items as Array<Record<string, unknown>>) item.forecast_quantity = 0;
    expect(await fieldErrors(body)).toHaveLength(100);
  });

  test('a po_number with every kind of character is found by query, path and list', async () => {
    const poNumber = `PO/%2e%2e/?&=+#"'<>🚚${newPoNumber()}`;
    await merchant.submit({ poNumber, forecastType: 1 });
    expect((await merchant.forecast(poNumber)).po_number).toBe(poNumber);
    expect((await merchant.weighing(poNumber)).po_number).toBe(poNumber);
    expect((await merchant.tracking(poNumber)).po_number).toBe(poNumber);
    const list = await expectRoute<ForecastPage>(merchant.client, 'listForecasts', { query: { po_number: poNumber } });
    expect(list.forecasts.map((forecast) => forecast.po_number)).toEqual([poNumber]);
  });

  test('po_number is case-sensitive', async () => {
    const poNumber = newPoNumber('Case');
    await merchant.submit({ poNumber, forecastType: 1 });
    const other = await callRoute(merchant.client, 'getForecast', { path: { po_number: poNumber.toUpperCase() } });
    expect(other.code).toBe('40401');
    await merchant.submit({ poNumber: poNumber.toUpperCase(), forecastType: 1 });
  });
});

describe('warnings', () => {
  test('unknown fields and marketplace_label are ignored, listed and not stored', async () => {
    const body = await bodyWith((body, item) => {
      body.marketplace_label = 'https://example.com/label.pdf';
      body.colour = 'red';
      item.size = 'XL';
      body.due_date = '2001-01-31';
    });
    const response = await merchant.submitBody(body);
    expect(response.code).toBe('0');
    expect(response.data.warnings.map((warning) => warning.field).sort()).toEqual([
      'colour',
      'due_date',
      'items[0].size',
      'marketplace_label',
    ]);
    const stored = JSON.stringify(await merchant.forecast(String(body.po_number)));
    expect(stored).not.toMatch(/label\.pdf|colour|"size"/);
    expect(stored).toContain('2001-01-31');
  });
});
