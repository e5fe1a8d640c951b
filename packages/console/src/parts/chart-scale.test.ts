import { describe, expect, test } from '@jest/globals';
import { barsOf, dayText, highest } from './chart-scale.ts';

test('a value of 0 can be seen where it is a result; no value is never', () => {
  expect(barsOf([0, null, 1], 1, 5).map(({ y, height }) => [y, height])).toEqual([
    [95, 5],
    [100, 0],
    [0, 100],
  ]);
});

test('a day is one of UTC wherever the reader is', () => {
  expect(dayText('2026-11-24', 'en-GB')).toBe('24 Nov');
  expect(dayText('2026-11-24', 'zh-CN')).toBe('11月24日');
});

describe('the highest amount', () => {
  const amounts = (...values: readonly (number | null)[]) => values.map((amount, index) => ({ day: `2026-11-2${index}`, amount }));

  test('is the first of equals', () => {
    expect(highest(amounts(4, null, 9, 9))).toEqual({ day: '2026-11-22', amount: 9 });
  });

  test('is none when there is nothing', () => {
    expect(highest(amounts(0, null, 0))).toBeUndefined();
    expect(highest([])).toBeUndefined();
  });
});
