import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { leasedOf } from '../../testing/webhook-fixtures.ts';
import { DEFAULT_SCHEDULE_TEXT, firstWaitMs, MAX_RETRY_AFTER_MS, parseRetryAfter, parseSchedule, waitBefore } from './retry-schedule.ts';
import { type Reply, settle } from './settle.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR = 3_600_000;
const schedule = parseSchedule(DEFAULT_SCHEDULE_TEXT);
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the schedule', () => {
  test('is the published one', () => {
    const s = 1000;
    expect(schedule).toEqual([0, 5 * s, 300 * s, 1800 * s, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]);
  });

  test('spreads every wait by at most a fifth, never below zero, and ends', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10 * HOUR), { minLength: 1, maxLength: 12 }), fc.nat(15), unit, (waits, made, random) => {
        const wait = waitBefore(waits, made, random);
        const base = waits[made];
        if (base === undefined) expect(wait).toBeNull();
        else expect(Math.abs((wait as number) - base)).toBeLessThanOrEqual(base * 0.2 + 1);
      }),
    );
    expect([waitBefore([1000], 0, 0), waitBefore([1000], 0, 0.5), waitBefore([0], 0, 0.9)]).toEqual([800, 1000, 0]);
  });

  test('allows blanks around waits, at most fifty attempts, and waits of at most seven days', () => {
    expect(parseSchedule(' 0s , 5s, 7d')).toEqual([0, 5000, 7 * 24 * HOUR]);
    expect(parseSchedule(Array(50).fill('1s').join(','))).toHaveLength(50);
    expect(() => parseSchedule(Array(51).fill('1s').join(','))).toThrow('must name at most 50 attempts');
  });

  test.each(['', '5', '0s,,5s', '0s;5s', '-1s', '0s,8d'])('refuses %p and says what is allowed', (text) => {
    expect(() => parseSchedule(text)).toThrow(
      /^must be durations of at most 7d separated by commas, such as 0s,5s,5m,30m; ".*" is not a duration$/,
    );
  });

  test('of a test event is one immediate attempt; other events begin with the first wait of the schedule', () => {
    expect([firstWaitMs({ test: true }, [5000], 0.5), firstWaitMs({ test: false }, [5000], 0.5)]).toEqual([0, 5000]);
  });
});

test.each([
  ['120', 120_000],
  [' 120 ', 120_000],
  ['0', 0],
  ['1234567890', MAX_RETRY_AFTER_MS],
  ['12345678901', null],
  ['Sat, 21 Nov 2026 08:01:00 GMT', 60_000],
  ['Sat, 21 Nov 2020 08:01:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['1.5', null],
  ['x5', null],
  ['5x', null],
  ['2026-11-21', null],
  ['', null],
])('Retry-After %p is %p', (header, wait) => expect(parseRetryAfter(header, NOW)).toBe(wait));

describe('what follows from a reply', () => {
  const reply = (statusCode: number | null, retryAfter: string | null = null): Reply => {
    const isGood = statusCode !== null && statusCode < 300;
    return { statusCode, error: isGood ? null : 'no', errorCode: isGood ? null : 'status', responseBody: null, retryAfter };
  };

  test('exactly 200 to 299 succeeds, 410 is gone, all else is tried again or fails', () => {
    const status = fc.option(fc.oneof(fc.integer({ min: 100, max: 999 }), fc.constantFrom(199, 200, 299, 300, 410)));
    fc.assert(
      fc.property(status, fc.nat(12), fc.boolean(), unit, (status, step, test, random) => {
        const settled = settle(leasedOf({ step, test }), reply(status), schedule, NOW, random);
        const success = status !== null && status >= 200 && status < 300;
        const isLast = test || step + 1 >= schedule.length;
        const expected = success ? 'succeeded' : status === 410 ? 'held' : isLast ? 'failed' : 'pending';
        expect(settled.status).toBe(expected);
        expect(settled.gone).toBe(status === 410);
        expect(settled.nextAttemptAt !== null).toBe(expected === 'pending');
      }),
    );
  });

  test.each([
    ['by the schedule', reply(500), 5000, 'schedule'],
    ['by the schedule when Retry-After is no longer', reply(503, '5'), 5000, 'schedule'],
    ['by Retry-After when that is longer', reply(503, '6'), 6000, 'retry_after'],
    ['by the schedule when Retry-After is invalid', reply(503, 'soon'), 5000, 'schedule'],
    ['by the schedule after a good status with a broken response', { ...reply(200), error: 'cut' }, 5000, 'schedule'],
  ] as const)('is a next attempt %s', (_when, given, waitMs, nextReason) => {
    const expected = { status: 'pending', nextAttemptAt: NOW + waitMs, nextReason, gone: false };
    expect(settle(leasedOf({ step: 0 }), given, schedule, NOW, 0.5)).toEqual(expected);
  });
});
