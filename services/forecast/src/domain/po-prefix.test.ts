import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { behindPrefix, compareTexts } from './po-prefix.ts';

describe('the first text behind a prefix', () => {
  test.each([
    ['PO-1', 'PO-2'],
    ['PO-9', 'PO-:'],
    ['中', '丮'],
    ['a\ud7ff', 'a\ue000'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
    ['', undefined],
  ])('of %j is %j', (prefix, behind) => {
    expect(behindPrefix(prefix)).toBe(behind);
  });

  test('divides the texts that begin with the prefix from those behind', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(text, text, (prefix, other) => {
        const behind = behindPrefix(prefix) as string;
        const isBetween = compareTexts(other, prefix) >= 0 && compareTexts(other, behind) < 0;
        expect(isBetween).toBe(other.startsWith(prefix));
        expect(compareTexts(prefix + other, behind)).toBeLessThan(0);
      }),
    );
  });
});

test('texts are compared by code points, not by the units of JavaScript', () => {
  expect('\u{1f600}' < '\uff5e').toBe(true);
  expect(compareTexts('\u{1f600}', '\uff5e')).toBeGreaterThan(0);
  expect(compareTexts('a', 'a')).toBe(0);
});
