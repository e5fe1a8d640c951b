import { describe, expect, test } from '@jest/globals';
import type { AppError } from '@parcelway/kernel/app-error';
import { mapColumns, missingColumns, parseMapping } from './map-columns.ts';

const fieldsOf = (titles: readonly string[], mapping = {}) => mapColumns(titles, mapping).columns.map(({ field }) => field);
function errorOf(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('It did not fail');
}

describe('columns', () => {
  test('fill the fields of their titles, unless the mapping says otherwise', () => {
    expect(fieldsOf(['订单号', 'Qty', 'Code', ''])).toEqual(['po_number', 'forecast_quantity', null, null]);
    expect(fieldsOf(['订单号', 'Qty', 'Code'], { 'CODE ': 'sku_code', qty: null })).toEqual(['po_number', null, 'sku_code']);
  });

  test('that are missing are named', () => {
    expect(mapColumns(['PO', 'SKU'], {}).missing).toEqual(['warehouse_code', 'product_name_en', 'forecast_quantity']);
    expect(missingColumns(['PO', ''], ['sku_code']).message).toContain(
      'No column fills sku_code. The first row must have the titles; found: "PO"',
    );
    expect(missingColumns([], ['sku_code']).message).toContain('found: none');
  });

  test('that fill the same field are refused', () => {
    const error = errorOf(() => mapColumns(['PO', 'Order no', 'x', 'x'], {}));
    expect(error).toMatchObject({ code: '42201', data: { errors: [{ field: 'Order no', rule: 'duplicate_column' }] } });
    expect(fieldsOf(['PO', 'Order no'], { PO: null })).toEqual([null, 'po_number']);
    expect(fieldsOf(['x', 'x'])).toEqual([null, null]);
  });

  test('that are ignored, and titles of the mapping that the file lacks, are warned of', () => {
    const { warnings } = mapColumns(['PO', 'Remark', 'Note', 'error', ''], { Note: null, Gone: 'sku_code' });
    expect(warnings.map(({ field }) => field)).toEqual(['Remark', 'Gone']);
  });
});

describe('a mapping', () => {
  test.each([undefined, '', ' '])('may be absent: %j', (text) => {
    expect(parseMapping(text)).toEqual({});
  });

  test('has fields or null', () => {
    expect(parseMapping('{"a":"po_number","b":null}')).toEqual({ a: 'po_number', b: null });
  });

  test.each(['x', '[]', 'null', '"po_number"', '{"a":"items"}', '{"a":1}', '{"a":"toString"}'])('%s is refused', (text) => {
    expect(errorOf(() => parseMapping(text))).toMatchObject({ code: '42201', data: { errors: [{ field: 'mapping' }] } });
  });
});
