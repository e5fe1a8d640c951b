import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkDigitOf, hasCheckDigit } from './check-digit.ts';

describe('a check digit', () => {
  test.each(['4006381333931', '96385074', '036000291452', '006141411234567890', '00'])('ends %s', (digits) => {
    expect(hasCheckDigit(digits)).toBe(true);
    expect(hasCheckDigit(`${digits.slice(0, -1)}${(Number(digits.at(-1)) + 1) % 10}`)).toBe(false);
  });

  test('detects any one wrong digit', () => {
    const digits = fc.stringMatching(/^\d{2,17}$/);
    fc.assert(
      fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (text, place, by) => {
        const whole = `${text}${checkDigitOf(text)}`;
        const at = place % whole.length;
        const wrong = `${whole.slice(0, at)}${(Number(whole[at]) + by) % 10}${whole.slice(at + 1)}`;
        expect([hasCheckDigit(whole), hasCheckDigit(wrong)]).toEqual([true, false]);
      }),
    );
  });
});
