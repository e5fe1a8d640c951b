import { describe, expect, test } from '@jest/globals';
import { nextTry, ORDER_RETENTION_MS } from './next-try.ts';

const failed = { isOutage: false, isFinal: false, defects: 0, orderedAt: 0 };

describe('the next try of an order', () => {
  test('comes soon after an outage, and the outage does not count as a defect', () => {
    expect(nextTry({ ...failed, isOutage: true, defects: 4 }, 1000)).toEqual({ dueAt: 4000, defects: 4 });
  });

  test('comes later after each defect, after an hour at most', () => {
    const pauses = [0, 1, 2, 3, 4, 100].map((defects) => nextTry({ ...failed, defects }, 0));
    expect(pauses.map((next) => next?.dueAt)).toEqual([1000, 8000, 64_000, 512_000, 3_600_000, 3_600_000]);
    expect(pauses.map((next) => next?.defects)).toEqual([1, 2, 3, 4, 5, 101]);
  });

  test('does not come when it cannot help, or after the retention', () => {
    expect(nextTry({ ...failed, isFinal: true }, 0)).toBeUndefined();
    expect(nextTry({ ...failed, isOutage: true }, ORDER_RETENTION_MS)).toBeUndefined();
    expect(nextTry(failed, ORDER_RETENTION_MS - 1)).toBeDefined();
  });
});
