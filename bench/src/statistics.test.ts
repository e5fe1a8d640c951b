import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { median, percentile } from './statistics.ts';

describe('median', () => {
  test('is the middle value, or the mean of the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });
});

describe('percentile', () => {
  const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 });

  test('lies between the smallest and the largest value, which it is at 0 and 100', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 100 }), (sample, percent) => {
        const smallest = Math.min(...sample);
        const largest = Math.max(...sample);
        const found = percentile(sample, percent);
        return found >= smallest && found <= largest && percentile(sample, 0) === smallest && percentile(sample, 100) === largest;
      }),
    );
  });

  test('never falls as the percentage rises', () => {
    fc.assert(
      fc.property(values, fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })), (sample, [a, b]) => {
        return percentile(sample, Math.min(a, b)) <= percentile(sample, Math.max(a, b)) + 1e-9;
      }),
    );
  });

  test('has no response without values', () => {
    expect(() => percentile([], 50)).toThrow(RangeError);
  });
});
