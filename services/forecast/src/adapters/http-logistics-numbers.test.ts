import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });

describe('logistics numbers', () => {
  const withNumber = (po: string, number: string, over: object = {}) =>
    app.submission({ po_number: po, items: [item(), item({ tracking_number: number })], ...over });

  test('of a live type 2 forecast are refused, by name, for the same tenant only', async () => {
    await app.submit(withNumber('PO-1', 'ab-12 34'));
    const response = await app.submit(withNumber('PO-2', 'AB1234'));
    expect(response).toMatchObject({ status: 422, code: '42202' });
    expect(response.data).toEqual({ tracking_numbers: ['AB1234'], fields: ['items[1].tracking_number'] });
    const foreign = { ...withNumber('PO-2', 'AB1234'), shipping_label: app.pdf('tnt_b'), shipping_note: app.pdf('tnt_b') };
    expect((await app.submit(foreign, 'tnt_b')).code).toBe('0');
  });

  test('are not checked for type 1, nor claimed by it', async () => {
    expect((await app.submit(withNumber('PO-1', 'AAAA', { forecast_type: 1 }))).code).toBe('0');
    expect((await app.submit(withNumber('PO-2', 'AAAA'))).code).toBe('0');
    expect((await app.submit(withNumber('PO-3', 'AAAA', { forecast_type: 1 }))).code).toBe('0');
  });

  test('a refused forecast leaves nothing behind', async () => {
    await app.submit(withNumber('PO-1', 'AAAA'));
    const items = [item({ tracking_number: 'BBBB' }), item({ tracking_number: 'AAAA' })];
    expect((await app.submit(app.submission({ po_number: 'PO-2', items }))).code).toBe('42202');
    expect((await app.call('GET', '/open/v1/forecasts/PO-2')).code).toBe('40401');
    expect((await app.submit(withNumber('PO-3', 'BBBB'))).code).toBe('0');
    expect(await app.published()).toHaveLength(2);
  });
});
