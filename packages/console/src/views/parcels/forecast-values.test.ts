import { describe, expect, test } from '@jest/globals';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { ForecastItem } from '@parcelway/contracts/forecast-submission-api';
import {
  correctable,
  correctionOf,
  EMPTY_ITEM,
  itemFields,
  lastFaultyItem,
  NEW_FORECAST,
  requiredItemFields,
  submissionOf,
  valuesOfForecast,
} from './forecast-values.ts';

test('the form of an item has the fields of the contract', () => {
  expect([...itemFields].sort()).toEqual(Object.keys(ForecastItem.properties).sort());
  expect([...requiredItemFields].sort()).toEqual([...ForecastItem.required].sort());
});

const item = { ...EMPTY_ITEM, sku_code: ' LAMP ', product_name_en: 'Lamp', forecast_quantity: '3' };

describe('a submission', () => {
  test('has what is filled in, numbers as numbers', () => {
    const values = {
      ...NEW_FORECAST,
      poNumber: ' PO-1',
      warehouseCode: 'WH',
      forecastType: '1',
      cartonCount: '2',
      items: [{ ...item, forecast_price: '1.5' }],
    };
    expect(submissionOf(values)).toEqual({
      po_number: 'PO-1',
      forecast_type: 1,
      warehouse_code: 'WH',
      carton_count: 2,
      items: [{ sku_code: 'LAMP', product_name_en: 'Lamp', forecast_quantity: 3, forecast_price: 1.5 }],
    });
  });

  test('has what is no number as it is typed, so that the platform names the field', () => {
    expect(submissionOf({ ...NEW_FORECAST, items: [{ ...item, forecast_quantity: 'three' }] }).items[0]?.forecast_quantity).toBe('three');
  });

  test('of an empty form has empty texts where something is required', () => {
    expect(submissionOf(NEW_FORECAST)).toEqual({ po_number: '', forecast_type: 2, warehouse_code: '', items: [{}] });
  });
});

const forecast = {
  po_number: 'PO-1',
  forecast_type: 2,
  warehouse_code: 'WH',
  due_date: '2026-12-01',
  carton_count: null,
  shipping_label: 'https://x/a.pdf',
  shipping_note: 'https://x/b.pdf',
  items: [{ sku_code: 'LAMP', product_name_en: 'Lamp', forecast_quantity: 3 }],
} as ForecastDetail;

describe('a correction', () => {
  const values = valuesOfForecast(forecast);

  test('of nothing is empty', () => {
    expect(correctionOf(values, forecast)).toEqual({});
  });

  test('has only what is different, and null for what was removed', () => {
    const changed = { ...values, dueDate: '', cartonCount: '4', shippingLabel: 'https://x/c.pdf ' };
    expect(correctionOf(changed, forecast)).toEqual({ due_date: null, carton_count: 4, shipping_label: 'https://x/c.pdf' });
  });

  test('has all items when one is different', () => {
    const changed = { ...values, items: [...values.items, item] };
    expect(correctionOf(changed, forecast).items?.map(({ sku_code }) => sku_code)).toEqual(['LAMP', 'LAMP']);
  });
});

test.each([
  [1, 'all'],
  [2, 'documents'],
  [4, 'documents'],
  [5, 'nothing'],
  [7, 'nothing'],
])('in status %i, %s can be corrected', (status, what) => {
  expect(correctable(status)).toBe(what);
});

test('the last item with a fault is the one that has to be on view', () => {
  expect(lastFaultyItem(['po_number', 'items[3].sku_code', 'items[12]', 'items[2].x'])).toBe(12);
  expect([lastFaultyItem(['items']), lastFaultyItem([])]).toEqual([-1, -1]);
});
