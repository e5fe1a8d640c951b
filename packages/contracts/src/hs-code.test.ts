import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { HS_CODE_PATTERN, normaliseHsCode } from './hs-code.ts';
import { patternMessages } from './text.ts';

const matches = (value: string): boolean => new RegExp(HS_CODE_PATTERN, 'u').test(value);
const written = fc.string({ unit: fc.constantFrom('0', '9', '.', ' '), maxLength: 30 });

describe('the pattern of HS codes', () => {
  test.each(['851762', '8517.62.00', '85 17 62', '1'.repeat(13)])('accepts %j', (code) => {
    expect(matches(code)).toBe(true);
  });

  test.each(['85176', '1'.repeat(14), '8517-62', '85176a', '......'])('refuses %j', (code) => {
    expect(matches(code)).toBe(false);
  });

  test('is explained in words', () => {
    expect(patternMessages[HS_CODE_PATTERN]).toBe('must have 6 to 13 digits; dots and spaces may separate them');
  });

  test('counts exactly the digits', () => {
    fc.assert(
      fc.property(written, (code) => {
        const { length } = normaliseHsCode(code);
        expect(matches(code)).toBe(length >= 6 && length <= 13);
      }),
    );
  });

  test('judges a hostile text in linear time', () => {
    // A pattern that backtracks exponentially would never return from these.
    for (const value of [`${' -'.repeat(20_000)}\u0000`, `${'1 '.repeat(20_000)}\n`, `${'. '.repeat(20_000)}x\u0000`]) {
      expect(matches(value)).toBe(false);
    }
  });
});

describe('the stored form of an HS code', () => {
  test.each([
    ['851762', '851762'],
    ['8517.62.00', '85176200'],
    ['85 17 62', '851762'],
    [' .8517. 62. ', '851762'],
    ['0101.21', '010121'],
  ])('of %j is %j', (code, stored) => {
    expect(normaliseHsCode(code)).toBe(stored);
  });

  test('has every digit in its order, and keeps its form', () => {
    fc.assert(
      fc.property(written, (code) => {
        const stored = normaliseHsCode(code);
        expect(stored).toBe([...code].filter((character) => /[0-9]/.test(character)).join(''));
        expect(normaliseHsCode(stored)).toBe(stored);
      }),
    );
  });
});
