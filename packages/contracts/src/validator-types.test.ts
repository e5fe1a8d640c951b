import { describe, expect, test } from '@jest/globals';
import { item, valid, violated } from './testing/submission.ts';

describe('a field of the wrong type', () => {
  test('is listed once, whatever further rules it breaks', () => {
    const wrong = { ...valid, forecast_type: '2', warehouse_code: 7, items: [{ ...item, forecast_quantity: '0' }] };
    expect(violated(wrong)).toEqual(['forecast_type type', 'items[0].forecast_quantity type', 'warehouse_code type']);
    expect(violated({ ...valid, forecast_type: 3 })).toEqual(['forecast_type enum']);
  });
});

describe('types are strict', () => {
  test.each([
    ['forecast_quantity', '3'],
    ['forecast_quantity', true],
    ['forecast_quantity', null],
    ['forecast_quantity', [3]],
    ['forecast_quantity', 1.5],
    ['forecast_price', '1.00'],
    ['sku_code', 12],
    ['barcode', null],
  ])('%s is not taken from %p', (field, value) => {
    expect(violated({ ...valid, items: [{ ...item, [field]: value }] })).toEqual([`items[0].${field} type`]);
  });

  test.each([0, 3, '2', 1.5])('forecast_type %p is refused', (forecast_type) => {
    expect(violated({ ...valid, forecast_type })).toContainEqual(expect.stringMatching(/^forecast_type (enum|type)$/));
  });

  test('an integer may be written with a zero fraction, as JSON knows no difference', () => {
    expect(violated({ ...valid, items: [{ ...item, forecast_quantity: JSON.parse('3.0') }] })).toEqual([]);
  });
});
