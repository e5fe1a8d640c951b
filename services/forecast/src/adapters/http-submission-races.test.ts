import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });

describe('at the same time', () => {
  test('twenty identical posts make one forecast', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => app.submit(app.submission({ items: [item({ tracking_number: 'AAAA' })] }))),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(responses.map(({ data }) => data.forecast_no)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    expect(await app.published()).toHaveLength(1);
  });

  test('one of two forecasts with the same logistics number is refused', async () => {
    const items = [item({ tracking_number: 'AAAA' })];
    const responses = await Promise.all(['PO-1', 'PO-2', 'PO-3'].map((po_number) => app.submit(app.submission({ po_number, items }))));
    expect(responses.map(({ code }) => code).sort()).toEqual(['0', '42202', '42202']);
  });

  test('one of many different contents under one po_number wins', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => app.submit(app.submission({ items: [item({ forecast_quantity: index + 1 })] }))),
    );
    expect(responses.map(({ code }) => code).sort()).toEqual(['0', ...Array(9).fill('40901')]);
  });
});
