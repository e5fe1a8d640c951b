import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { barsOf, CHART_HEIGHT, dayText, highest, SLOT_WIDTH, scaleTop } from './chart-scale.ts';

test.each([
  [0, 1],
  [2, 2],
  [3, 5],
  [10, 10],
  [11, 20],
  [1_234_567, 2_000_000],
])('a scale for up to %d ends at %d', (most, top) => {
  expect(scaleTop(most)).toBe(top);
});

test('a scale is never too low, and never more than two and a half times too high', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (most) => {
      expect(scaleTop(most)).toBeGreaterThanOrEqual(most);
      expect(scaleTop(most)).toBeLessThanOrEqual(most * 2.5);
    }),
  );
});

test('bars are side by side and begin at the bottom', () => {
  expect(barsOf([50, 0, 100], 100)).toEqual([
    { x: 1, y: 50, width: 8, height: 50 },
    { x: 11, y: 100, width: 8, height: 0 },
    { x: 21, y: 0, width: 8, height: 100 },
  ]);
});

test('a value of 0 can be seen where it is a result; no value is never', () => {
  expect(barsOf([0, null, 1], 1, 5).map(({ y, height }) => [y, height])).toEqual([
    [95, 5],
    [100, 0],
    [0, 100],
  ]);
});

test('every positive amount is visible and fits in the chart', () => {
  const [small] = barsOf([1, 1_000_000], 1_000_000);
  expect(small?.height).toBeGreaterThanOrEqual(2);
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (values) => {
      for (const { x, y, width, height } of barsOf(values, scaleTop(Math.max(...values)))) {
        expect(y + height).toBe(CHART_HEIGHT);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(values.length * SLOT_WIDTH);
      }
    }),
  );
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
