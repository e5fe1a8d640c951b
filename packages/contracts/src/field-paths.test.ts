import { describe, expect, test } from '@jest/globals';
import Type from 'typebox';
import { item, submission, valid, violated } from './testing/submission.ts';
import { compileValidator } from './validator.ts';

describe('field paths', () => {
  test('lead through arrays, and all errors come at once', () => {
    const items = [item, { product_name_en: '', forecast_quantity: 0 }, item, { ...item, sku_code: 7, hs_code: '85' }];
    expect(violated({ ...valid, po_number: ' PO', items })).toEqual([
      'items[1].forecast_quantity minimum',
      'items[1].product_name_en min_length',
      'items[1].sku_code required',
      'items[3].hs_code pattern',
      'items[3].sku_code type',
      'po_number pattern',
    ]);
  });

  test('are empty for the root', () => {
    expect(submission.errors(null)).toEqual([{ field: '', rule: 'type', message: 'The body must be an object' }]);
  });

  test('keep field names that need escaping in a JSON pointer', () => {
    const odd = compileValidator(Type.Object({ 'a/b~c': Type.Object({ 'd.e': Type.Integer() }) }));
    expect(odd.errors({ 'a/b~c': { 'd.e': 'x' } })).toMatchObject([{ field: 'a/b~c.d.e', rule: 'type' }]);
  });

  test('name an unknown field where none is allowed, and those that are known', () => {
    const number = Type.Optional(Type.Integer());
    const closed = compileValidator(Type.Object({ a: number, c: number }, { additionalProperties: false }));
    expect(closed.errors({ b: 1 })).toEqual([{ field: 'b', rule: 'unknown', message: 'b is not known here; known are a, c' }]);
    const empty = compileValidator(Type.Object({}, { additionalProperties: false }));
    expect(empty.errors({ b: 1 })).toMatchObject([{ message: 'b is not known here' }]);
  });
});

describe('names in a map', () => {
  const map = compileValidator(
    Type.Object({ m: Type.Record(Type.String(), Type.String(), { maxProperties: 2, propertyNames: { minLength: 1, maxLength: 3 } }) }),
  );

  test('are judged as values are', () => {
    expect(map.errors({ m: { abc: 'x' } })).toEqual([]);
    expect(map.errors({ m: { abcd: 'x', '': 'x' } })).toEqual([
      { field: 'm.abcd', rule: 'max_length', message: 'The name of m.abcd must have at most 3 characters' },
      { field: 'm.', rule: 'min_length', message: 'The name of m. must not be empty' },
    ]);
  });
});
