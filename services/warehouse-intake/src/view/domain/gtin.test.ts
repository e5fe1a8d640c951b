import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gtin14Of } from './gtin.ts';

describe('gtin14Of', () => {
  test.each([
    ['EAN-13', '6901234567892', '06901234567892'],
    ['UPC-A', '012345678905', '00012345678905'],
    ['the EAN-13 of that UPC-A', '0012345678905', '00012345678905'],
    ['EAN-8', '96385074', '00000096385074'],
    ['GTIN-14', '10614141000415', '10614141000415'],
  ])('reads %s', (_name, barcode, gtin) => {
    expect(gtin14Of(barcode)).toBe(gtin);
  });

  test.each([
    '6901234567893',
    '012345678906',
    '96385075',
    '690123456789',
    '',
    'ABCDEFGH',
    '６９０１２３４５６７８９２',
    '69012345678921234',
  ])('refuses %p', (barcode) => {
    expect(gtin14Of(barcode)).toBeUndefined();
  });

  test('notices each wrong digit', () => {
    const digit = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), digit, (place, wrong) => {
        const right = '6901234567892';
        const changed = `${right.slice(0, place)}${wrong}${right.slice(place + 1)}`;
        expect(gtin14Of(changed) === undefined).toBe(changed !== right);
      }),
    );
  });
});
