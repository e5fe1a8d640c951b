import { describe, expect, test } from '@jest/globals';
import { batchConflicts } from './batch-conflicts.ts';
import type { CanonicalForecast } from './canonical.ts';

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
  test('with numbers of their own take nothing from each other', () => {
    expect(batchConflicts([content('A', ['T1']), content('B', ['T2', 'T2'])])).toEqual([[], []]);
  });

  test('with one po_number and the same content are repeats', () => {
    expect(batchConflicts([content('A', ['T1']), content('A', ['T1'])])).toEqual([[], []]);
  });

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

  test('lists at most 100 fields', () => {
    const many = Array.from({ length: 150 }, (_, index) => `T${index}`);
    expect(batchConflicts([content('A', many), content('B', many)])[1]).toHaveLength(100);
  });
});
