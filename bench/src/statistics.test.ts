import { expect, test } from '@jest/globals';
import { median, percentile } from './statistics.ts';

test('a percentile interpolates between the two nearest ranks and throws without values', () => {
  expect([median([9, 1, 5]), median([4, 1, 2, 3])]).toEqual([5, 2.5]);
  expect([0, 25, 95, 100].map((percent) => percentile([1, 2, 3], percent))).toEqual([1, 1.5, 2.9, 3]);
  expect(() => percentile([], 50)).toThrow(RangeError);
});
