import { describe, expect, test } from '@jest/globals';
import type { CanonicalForecast } from '../../store/domain/canonical.ts';
import { batchConflicts, batchOrder } from './batch-order.ts';

const forecast = (poNumber: string, ...numbers: string[]) => ({
  po_number: poNumber,
  items: numbers.map((tracking_number) => ({ tracking_number })),
});

describe('the order of a batch', () => {
  test('one with the same po_number waits for the last before it', () => {
    expect(batchOrder([forecast('A'), forecast('B'), forecast('A'), forecast('A')])).toEqual([[], [], [0], [2]]);
  });

  test('a logistics number is the same in every way of writing', () => {
    expect(batchOrder([forecast('A', 'ab 12-34'), forecast('B', 'AB1234')])).toEqual([[], [0]]);
  });

  test('forecasts of type 1 share logistics numbers, so none waits', () => {
    expect(batchOrder(['A', 'B'].map((poNumber) => ({ ...forecast(poNumber, 'T1'), forecast_type: 1 })))).toEqual([[], []]);
  });

  test('each earlier one counts once, and none waits for itself', () => {
    expect(batchOrder([forecast('A', 'T1', 'T2'), forecast('B', 'T3'), forecast('A', 'T1', 'T1', 'T2', 'T3')])).toEqual([[], [], [0, 1]]);
  });

  test.each([
    [null],
    [1],
    ['A'],
    [[]],
    [{}],
    [{ po_number: 1, items: 'x' }],
    [{ po_number: null, items: [null, 1, { tracking_number: 5 }] }],
  ])('%j shares nothing', (odd) => {
    expect(batchOrder([odd, odd])).toEqual([[], []]);
  });
});

const content = (poNumber: string, numbers: readonly (string | undefined)[] = [undefined], forecastType: 1 | 2 = 2): CanonicalForecast => ({
  po_number: poNumber,
  forecast_type: forecastType,
  warehouse_code: 'WH1',
  items: numbers.map((tracking_number) => ({
    sku_code: 'S',
    product_name_en: 'L',
    forecast_quantity: 1,
    ...(tracking_number !== undefined && { tracking_number }),
  })),
});

describe('forecasts of a batch', () => {
  test('with one po_number and other content: the later one is refused', () => {
    const [first, second] = batchConflicts([content('A'), content('A', ['T1'])]);
    expect([first, second]).toEqual([
      [],
      [{ code: '40901', field: 'po_number', rule: 'different', message: expect.stringContaining('forecasts[0]') }],
    ]);
  });

  test('with one logistics number: every field of the later one is named', () => {
    const [, second] = batchConflicts([content('A', ['T1', 'T2']), content('B', ['T2', undefined, 'T1'])]);
    expect(second).toMatchObject([
      { code: '42202', field: 'items[0].tracking_number', rule: 'in_use', message: 'items[0].tracking_number is in use by forecasts[0]' },
      { code: '42202', field: 'items[2].tracking_number' },
    ]);
  });

  test('type 1 neither claims logistics numbers nor minds those of others', () => {
    expect(batchConflicts([content('A', ['T1'], 1), content('B', ['T1']), content('C', ['T1'], 1)])).toEqual([[], [], []]);
  });

  test('one that is refused takes nothing from those after it', () => {
    const conflicts = batchConflicts([content('A', ['T1']), content('B', ['T1', 'T2']), content('C', ['T2']), content('B')]);
    expect(conflicts.map((errors) => errors.length)).toEqual([0, 1, 0, 0]);
  });

  test('one that is not accepted anyway takes nothing', () => {
    expect(batchConflicts([undefined, content('A')])).toEqual([[], []]);
  });
});
