import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { item, submission, valid, violated } from './testing/submission.ts';

describe('numbers', () => {
  const price = (text: string) => submission.errors({ ...valid, items: [{ ...item, forecast_price: JSON.parse(text) as unknown }] });

  test.each(['0', '0.1', '12.5', '1.1', '0.0001', '3.1416', '1e-4', '99999999.9999', '29.9', '100.0000', '4.35', '1.005'])(
    'a price may be %s',
    (text) => expect(price(text)).toEqual([]),
  );

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
