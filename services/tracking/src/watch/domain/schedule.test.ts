import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_SCHEDULE, nextPollDelay, parseSchedule, pollAfterEnd, retryDelay } from './schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const schedule = parseSchedule(DEFAULT_SCHEDULE);
const random = fc.double({ min: 0, max: 1, noNaN: true });
const age = fc.integer({ min: 0, max: 200 * DAY });

describe('parseSchedule', () => {
  test.each(['', '1d', '1d:', ':1h', '1d:15m,1d:1h', '3d:1h,1d:15m', '1d:0s', '1d:500ms', '1d:15m:2', '1d:15m,', 'x:y'])(
    'refuses %p',
    (text) => {
      expect(() => parseSchedule(text)).toThrow(/must be a list/);
    },
  );

  test('reads stages', () => {
    expect(parseSchedule('1d:15m, 3d:1h')).toEqual([
      { untilMs: DAY, intervalMs: 15 * MINUTE },
      { untilMs: 3 * DAY, intervalMs: HOUR },
    ]);
  });
});

describe('nextPollDelay', () => {
  test.each([
    [0, 15 * MINUTE],
    [DAY - 1, 15 * MINUTE],
    [DAY, HOUR],
    [10 * DAY, 3 * HOUR],
    [30 * DAY, 12 * HOUR],
    [100 * DAY, DAY],
    [120 * DAY, null],
    [-HOUR, 15 * MINUTE],
  ])('at an age of %p ms is %p', (ageMs, delay) => {
    expect(nextPollDelay(schedule, ageMs, 0.5)).toBe(delay);
  });

  test('stays within a tenth of the interval, and slows down with age', () => {
    fc.assert(
      fc.property(age, age, random, (a, b, at) => {
        const middle = nextPollDelay(schedule, Math.min(a, b), 0.5);
        const later = nextPollDelay(schedule, Math.max(a, b), 0.5);
        if (middle === null) {
          expect(later).toBeNull();
          return;
        }
        if (later !== null) expect(later).toBeGreaterThanOrEqual(middle);
        const spread = nextPollDelay(schedule, Math.min(a, b), at) as number;
        expect(Math.abs(spread - middle)).toBeLessThanOrEqual(middle / 10 + 1);
      }),
    );
  });
});

describe('retryDelay', () => {
  test('doubles from one minute to the interval, 15 minutes at the least', () => {
    expect([1, 2, 3, 4, 5, 6, 1000].map((failures) => retryDelay(schedule, 0, failures, 0.5))).toEqual(
      [1, 2, 4, 8, 15, 15, 15].map((minutes) => minutes * MINUTE),
    );
    expect(retryDelay(schedule, 30 * DAY, 1000, 0.5)).toBe(12 * HOUR);
  });

  test('is never longer than a good poll would wait, or 15 minutes, and ends with the watch', () => {
    fc.assert(
      fc.property(age, fc.integer({ min: 1, max: 10_000 }), (ageMs, failures) => {
        const good = nextPollDelay(schedule, ageMs, 0.5);
        const retry = retryDelay(schedule, ageMs, failures, 0.5);
        if (good === null) expect(retry).toBeNull();
        else expect(retry as number).toBeLessThanOrEqual(Math.max(good, 15 * MINUTE));
      }),
    );
  });
});

describe('pollAfterEnd', () => {
  const END = 1000 * DAY;
  const asked = { askedAt: END - HOUR, lastChangeAt: END };

  test('is a day later, for 15 days after the last change', () => {
    expect([0, 1, 15 * DAY - 1].map((ms) => pollAfterEnd(asked, END + ms))).toEqual([END + DAY, END + 1 + DAY, END + 16 * DAY - 1]);
    expect(pollAfterEnd(asked, END + 15 * DAY)).toBeNull();
  });

  test('is never for a carrier that was asked any time', () => {
    expect(pollAfterEnd({ askedAt: 0, lastChangeAt: END }, END)).toBeNull();
  });
});
