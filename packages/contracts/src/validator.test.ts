import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import fc from 'fast-check';
import Type from 'typebox';
import { mapOf } from './object.ts';
import { PoNumberQuery, poNumber } from './po-number.ts';
import { item, submission, valid, violated } from './testing/submission.ts';
import { nullable } from './text.ts';
import { compileValidator } from './validator.ts';

describe('a valid submission', () => {
  test('is not changed: no default is filled in and unknown fields stay', () => {
    const value = { ...valid, marketplace_label: 'x', items: [{ ...item, color: 'red' }] };
    const before = structuredClone(value);
    submission.parse(value);
    expect(value).toEqual(before);
  });

  test('of type 1 needs no shipping documents', () => {
    const { shipping_label: _label, shipping_note: _note, ...bare } = valid;
    expect(violated({ ...bare, forecast_type: 1 })).toEqual([]);
    expect(violated({ ...bare, forecast_type: 2 })).toEqual(['shipping_label required', 'shipping_note required']);
    expect(violated(bare)).toEqual(['shipping_label required', 'shipping_note required']);
  });
});

test('names the fields of an object schema', () => {
  expect(compileValidator(PoNumberQuery).fields).toEqual(['po_number']);
  expect(compileValidator(poNumber).fields).toEqual([]);
});

describe('numbers', () => {
  const price = (text: string) => submission.errors({ ...valid, items: [{ ...item, forecast_price: JSON.parse(text) as unknown }] });

  test.each(['3.14159265', '0.00001', '99999999.99985', '1e-5', '0.30000000000000004', '1.00001'])('a price may not be %s', (text) => {
    expect(price(text)).toEqual([
      { field: 'items[0].forecast_price', rule: 'multiple_of', message: 'items[0].forecast_price must have at most 4 decimals' },
    ]);
  });

  test('every price of up to 4 decimals is one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (tenThousandths) =>
        expect(price(String(tenThousandths / 10_000))).toEqual([]),
      ),
    );
    const tooFine = fc.tuple(
      fc.integer({ min: 0, max: 99_999_998 }),
      fc.integer({ min: 1, max: 99_999 }).filter((part) => part % 10 !== 0),
    );
    fc.assert(
      fc.property(tooFine, ([whole, part]) =>
        expect(price(`${whole}.${String(part).padStart(5, '0')}`)).toMatchObject([{ rule: 'multiple_of' }]),
      ),
    );
  });

  test('one that no double holds as written comes from the parser as infinite, and is named as such', () => {
    const [error, ...others] = price('1e999');
    expect([error?.rule, others]).toEqual(['precision', []]);
    expect(violated({ ...valid, items: [{ ...item, forecast_quantity: Number.POSITIVE_INFINITY }] })).toEqual([
      'items[0].forecast_quantity precision',
    ]);
    expect(violated({ ...valid, po_number: Number.POSITIVE_INFINITY })).toEqual(['po_number type']);
    expect(violated({ ...valid, unknown: Number.POSITIVE_INFINITY })).toEqual([]);
  });
});

describe('limits', () => {
  test('counts characters, not UTF-16 units', () => {
    expect(violated({ ...valid, po_number: '😀'.repeat(64) })).toEqual([]);
    expect(violated({ ...valid, po_number: '😀'.repeat(65) })).toEqual(['po_number max_length']);
  });

  test.each([
    [1, []],
    [2000, []],
    [0, ['items min_items']],
    [2001, ['items max_items']],
  ])('%p items', (count, expected) => {
    expect(violated({ ...valid, items: Array.from({ length: count }, () => item) })).toEqual(expected);
  });

  test('collects at most a thousand errors and lists a hundred of them', () => {
    const items = Array.from({ length: 2000 }, () => ({}));
    expect(submission.errors({ ...valid, items })).toHaveLength(1000);
    expect(() => submission.parse({ ...valid, items })).toThrow(AppError);
  });
});

describe('bounds', () => {
  test('elements behind the bound of an array are not looked at', () => {
    const items: unknown[] = Array.from({ length: 3000 }, () => item);
    items[2000] = {};
    items[2500] = {};
    const missing = ['forecast_quantity', 'product_name_en', 'sku_code'].map((name) => `items[2000].${name} required`);
    expect(violated({ ...valid, items })).toEqual(['items max_items', ...missing]);
    expect(items).toHaveLength(3000);
  });
});

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
    ['forecast_quantity', 1.5],
    ['sku_code', 12],
  ])('%s is not taken from %p', (field, value) => {
    expect(violated({ ...valid, items: [{ ...item, [field]: value }] })).toEqual([`items[0].${field} type`]);
  });
});

const map = compileValidator(Type.Object({ m: mapOf(Type.String(), { maxProperties: 2 }) }));

test.each(['a', '', 'a b', 'a\n', '\n', 'a\r\nb', '\u2028'])('the value under the name %j is checked', (name) => {
  expect(map.errors({ m: { [name]: 'text' } })).toEqual([]);
  expect(map.errors({ m: { [name]: -1 } })).toMatchObject([{ rule: 'type' }]);
});

describe('a union', () => {
  const status = Type.Integer({ minimum: 1, maximum: 7 });
  const severalOrOne = Type.Union([status, Type.Array(status, { minItems: 1 })]);
  const limit = nullable(Type.Integer({ minimum: 1 }));
  const validator = compileValidator(Type.Array(Type.Object({ limit, status: severalOrOne, deep: nullable(severalOrOne) })));
  const valid = { limit: null, status: 3, deep: null };
  const messages = (...values: object[]) => validator.errors(values.map((value) => ({ ...valid, ...value }))).map(({ message }) => message);

  test.each([
    [{ limit: 0 }, ['[0].limit must be at least 1']],
    [{ status: 9 }, ['[0].status must be at most 7']],
    [{ status: [9, 'x'] }, ['[0].status[0] must be at most 7', '[0].status[1] must be an integer']],
    [{ status: [] }, ['[0].status must have at least 1 element']],
    [{ deep: 9 }, ['[0].deep must be at most 7']],
    [{ deep: [0] }, ['[0].deep[0] must be at least 1']],
  ])('says of %j only what the branch for a value of its type says', (value, expected) => {
    expect(messages(value)).toEqual(expected);
  });

  test('names a type when no branch is for a value of that type', () => {
    expect(messages({ limit: 'x' })).toEqual(['[0].limit must be an integer']);
  });

  test('judges each value of a list by itself', () => {
    expect(messages({ limit: 0 }, { limit: 'x' }, { limit: 0 })).toEqual([
      '[0].limit must be at least 1',
      '[1].limit must be an integer',
      '[2].limit must be at least 1',
    ]);
  });
});
