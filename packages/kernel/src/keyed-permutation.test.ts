import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createInvertiblePermutation, createKeyedPermutation } from './keyed-permutation.ts';

const all = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, index) => from + index);

describe('a keyed permutation', () => {
  test.each([
    [0, 1],
    [0, 2],
    [0, 10],
    [3, 1000],
    [0, 1024],
    [0, 10_000],
  ])('of %d to %d has each number once', (from, to) => {
    const permuted = createKeyedPermutation('a secret', 'codes', { from, to });
    expect(
      all(from, to)
        .map(permuted)
        .sort((a, b) => a - b),
    ).toEqual(all(from, to));
  });

  test.each([10 ** 9, 10 ** 13, Number.MAX_SAFE_INTEGER])('of numbers below %d stays in it, and no two share a result', (to) => {
    const permuted = createKeyedPermutation('a secret', 'codes', { from: 0, to });
    const numbers = fc.oneof(
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: to - 1000, max: to - 1 }),
      fc.integer({ min: 0, max: to - 1 }),
    );
    const shown = new Map<number, number>();
    fc.assert(
      fc.property(numbers, (number) => {
        const result = permuted(number);
        expect(Number.isSafeInteger(result) && result >= 0 && result < to).toBe(true);
        expect(shown.get(result) ?? number).toBe(number);
        shown.set(result, number);
      }),
    );
  });

  test.each([
    [3, 1000],
    [0, 1024],
    [2 ** 24, 2 ** 31],
    [0, Number.MAX_SAFE_INTEGER],
  ])('of %d to %d leads back', (from, to) => {
    const { apply, invert } = createInvertiblePermutation('a secret', 'codes', { from, to });
    fc.assert(
      fc.property(fc.integer({ min: from, max: to - 1 }), (number) => {
        expect([invert(apply(number)), apply(invert(number))]).toEqual([number, number]);
      }),
    );
  });

  test('is the same for the same secret and series, and another for another', () => {
    const range = { from: 0, to: 10 ** 10 };
    const first = createKeyedPermutation('a secret', 'codes', range)(1);
    expect(createKeyedPermutation('a secret', 'codes', range)(1)).toBe(first);
    expect(createKeyedPermutation('another secret', 'codes', range)(1)).not.toBe(first);
    expect(createKeyedPermutation('a secret', 'numbers', range)(1)).not.toBe(first);
  });

  test.each([-1, 10, 0.5, Number.NaN])('has no result for %d, which its range lacks', (number) => {
    expect(() => createKeyedPermutation('a secret', 'codes', { from: 0, to: 10 })(number)).toThrow(RangeError);
  });

  test.each([
    [5, 5],
    [-1, 5],
    [0, 2 ** 60],
  ])('there is none of %d to %d', (from, to) => {
    expect(() => createKeyedPermutation('a secret', 'codes', { from, to })).toThrow(RangeError);
  });
});
