import { describe, expect, test } from '@jest/globals';
import { EMPTY_ITEM, type ForecastValues, NEW_FORECAST } from './forecast-values.ts';
import { mergedValues } from './merged-values.ts';

const lamp = { ...EMPTY_ITEM, sku_code: 'LAMP', forecast_quantity: '3' };
const chair = { ...EMPTY_ITEM, sku_code: 'CHAIR', forecast_quantity: '1' };
const before: ForecastValues = {
  ...NEW_FORECAST,
  poNumber: 'PO-1',
  warehouseCode: 'WH',
  dueDate: '2026-12-01',
  cartonCount: '2',
  items: [lamp],
};

test('what nobody else has changed leaves the entries as they are', () => {
  const entered = { ...before, cartonCount: '5', items: [lamp, chair] };
  expect(mergedValues(before, before, entered)).toEqual({ values: entered, changes: [] });
});

test('a field that was left as it was takes the value of now, and any other keeps its entry', () => {
  const now = { ...before, cartonCount: '9', dueDate: '', warehouseCode: 'B' };
  const { values, changes } = mergedValues(before, now, { ...before, cartonCount: '5', dueDate: '2026-12-24' });
  expect(values).toEqual({ ...before, warehouseCode: 'B', cartonCount: '5', dueDate: '2026-12-24' });
  expect(changes).toEqual([
    { field: 'warehouse_code', from: 'WH', to: 'B' },
    { field: 'due_date', from: '2026-12-01', to: null, entered: '2026-12-24' },
    { field: 'carton_count', from: '2', to: '9', entered: '5' },
  ]);
});

test('the same value entered twice overwrites nothing', () => {
  const now = { ...before, cartonCount: '9' };
  expect(mergedValues(before, now, { ...before, cartonCount: ' 9' }).changes).toEqual([{ field: 'carton_count', from: '2', to: '9' }]);
});

describe('items', () => {
  test('are merged field by field while they are the same ones', () => {
    const now = { ...before, items: [{ ...lamp, forecast_quantity: '7', forecast_price: '2' }] };
    const { values, changes } = mergedValues(before, now, { ...before, items: [{ ...lamp, forecast_quantity: '8', barcode: '1' }] });
    expect(values.items).toEqual([{ ...lamp, forecast_quantity: '8', forecast_price: '2', barcode: '1' }]);
    expect(changes).toEqual([
      { field: 'items[0].forecast_quantity', from: '3', to: '7', entered: '8' },
      { field: 'items[0].forecast_price', from: null, to: '2' },
    ]);
  });

  test('that came, went or moved are never mixed: the entered ones stay as a whole', () => {
    const two = { ...before, items: [lamp, chair] };
    const mine = [{ ...lamp, forecast_quantity: '8' }, chair];
    const { values, changes } = mergedValues(two, { ...two, items: [chair, lamp] }, { ...two, items: mine });
    expect(values.items).toEqual(mine);
    expect(changes).toEqual([{ field: 'items', from: '2', to: '2', entered: '2' }]);
  });

  test('that were left as they were are those of now', () => {
    const now = { ...before, items: [chair, lamp] };
    expect(mergedValues(before, now, { ...before, cartonCount: '5' })).toEqual({
      values: { ...now, cartonCount: '5' },
      changes: [{ field: 'items', from: '1', to: '2' }],
    });
  });
});

test('of a parcel that has arrived meanwhile only the documents keep what was entered', () => {
  const entered = { ...before, cartonCount: '5', shippingLabel: 'https://x/a.pdf', items: [chair] };
  const { values, changes } = mergedValues(before, { ...before, cartonCount: '9' }, entered, 'documents');
  expect(values).toEqual({ ...before, cartonCount: '9', shippingLabel: 'https://x/a.pdf' });
  expect(changes).toEqual([{ field: 'carton_count', from: '2', to: '9' }]);
});
