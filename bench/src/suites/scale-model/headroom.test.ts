import { describe, expect, test } from '@jest/globals';
import { hasHeadroom, passBurst, replicasFor } from './headroom.ts';

const burst = { factor: 2, seconds: 60 };

describe('passBurst', () => {
  test('leaves nothing waiting while the burst fits', () => {
    expect(passBurst({ cores: 1, idleShare: 0 }, 4, burst)).toEqual({ peak: 0.25, burst: 0.5, backlogSeconds: 0, drainSeconds: 0 });
  });

  test('says what waits at the end of a burst, and how long the peak hour takes to work it off', () => {
    // 0.75 of a core a second against 1: 0.5 too much for 60 s is 30 core seconds, 40 s of arrivals, processed at 0.25 a second.
    expect(passBurst({ cores: 3, idleShare: 0 }, 4, burst)).toEqual({ peak: 0.75, burst: 1.5, backlogSeconds: 40, drainSeconds: 120 });
  });

  test('never drains when the peak hour alone is too much', () => {
    expect(passBurst({ cores: 5, idleShare: 0 }, 4, burst).drainSeconds).toBe(Number.POSITIVE_INFINITY);
  });

  test('counts idle work once, and the busiest replica', () => {
    const outcome = passBurst({ cores: 2, idleShare: 0.1, imbalance: 1.25 }, 10, burst);
    expect(outcome.peak).toBeCloseTo(0.35);
    expect(outcome.burst).toBeCloseTo(0.6);
  });

  test('refuses no replicas', () => {
    expect(() => passBurst({ cores: 1, idleShare: 0 }, 0, burst)).toThrow('at least one replica');
  });
});

describe('replicasFor', () => {
  test.each([
    ['the burst, where twice the peak is what counts', { cores: 4, idleShare: 0 }, burst, 9],
    ['the peak hour, where bursts are small', { cores: 6, idleShare: 0 }, { factor: 1.2, seconds: 60 }, 10],
    ['idle work', { cores: 1, idleShare: 0.5 }, burst, 10],
    ['at least two', { cores: 0.01, idleShare: 0 }, burst, 2],
  ])('keeps to %s', (_what, work, load, expected) => {
    expect(replicasFor(work, load)).toBe(expected);
    expect(hasHeadroom(passBurst(work, expected, load))).toBe(true);
    if (expected > 2) expect(hasHeadroom(passBurst(work, expected - 1, load))).toBe(false);
  });

  test('has one more where one fewer would be too busy', () => {
    const work = { cores: 0.9, idleShare: 0 };
    expect(hasHeadroom(passBurst(work, 2, burst))).toBe(true);
    expect(replicasFor(work, burst)).toBe(3);
    // Of two the busiest has more than its half.
    expect(replicasFor({ cores: 1.3, idleShare: 0 }, burst, (replicas) => (replicas === 2 ? 1.3 : 1))).toBe(4);
  });

  test('says when no allowed number is enough', () => {
    expect(replicasFor({ cores: 4, idleShare: 0 }, burst, () => 1, 8)).toBeUndefined();
    expect(replicasFor({ cores: 0.1, idleShare: 0.7 }, burst)).toBeUndefined();
  });
});
