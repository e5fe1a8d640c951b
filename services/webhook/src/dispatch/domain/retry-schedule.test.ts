import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Delivery, LeasedDelivery } from '../../intake/domain/delivery.ts';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import {
  DEFAULT_SCHEDULE_TEXT,
  firstWaitMs,
  MAX_RETRY_AFTER_MS,
  parseRetryAfter,
  parseSchedule,
  scheduleFor,
  waitAfterFailure,
  waitBefore,
} from './retry-schedule.ts';
import { isSuccess, type Reply, settle } from './settle.ts';

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

  test.each(['', '5', '0s,,5s', '0s;5s', '-1s', '0s,8d', Array(51).fill('1s').join(',')])('refuses %p with a sentence', (text) => {
    expect(() => parseSchedule(text)).toThrow(/^must /);
  });

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['99999999', MAX_RETRY_AFTER_MS],
    ['Sat, 21 Nov 2026 08:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2020 08:01:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['', null],
  ])('reads Retry-After %p as %p', (header, wait) => {
    expect(parseRetryAfter(header, NOW)).toBe(wait);
  });
});

describe('a schedule', () => {
  test('may have blanks around its waits', () => expect(parseSchedule(' 0s , 5s')).toEqual([0, 5000]));

  test('has at most fifty attempts, and waits of at most seven days', () => {
    expect(parseSchedule(Array(50).fill('1s').join(','))).toHaveLength(50);
    expect(() => parseSchedule(Array(51).fill('1s').join(','))).toThrow('must name at most 50 attempts');
    expect(parseSchedule('7d')).toEqual([7 * 24 * HOUR]);
    expect(() => parseSchedule('0s, 8d')).toThrow(
      'must be durations of at most 7d separated by commas, such as 0s,5s,5m,30m; "8d" is not a duration',
    );
  });
});

test.each([
  [' 120 ', 120_000],
  ['1234567890', MAX_RETRY_AFTER_MS],
  ['12345678901', null],
  ['x5', null],
  ['5x', null],
  ['2026-11-21', null],
])('Retry-After %p is %p', (header, wait) => expect(parseRetryAfter(header, NOW)).toBe(wait));

test('after a failure the longer wait counts: that of the schedule, or what the receiver asks for', () => {
  expect(waitAfterFailure([0, 10_000], 1, 0.5, null, NOW)).toEqual({ ms: 10_000, reason: 'schedule' });
  expect(waitAfterFailure([0, 10_000], 1, 0.5, '5', NOW)).toEqual({ ms: 10_000, reason: 'schedule' });
  expect(waitAfterFailure([0, 10_000], 1, 0.5, '60', NOW)).toEqual({ ms: 60_000, reason: 'retry_after' });
  expect(waitAfterFailure([0], 1, 0.5, '60', NOW)).toBeNull();
});

test('a test event has a schedule of one attempt', () => {
  expect(scheduleFor({ test: true }, schedule)).toEqual([0]);
  expect(scheduleFor({ test: false }, schedule)).toBe(schedule);
});

test('a test event is tried at once, whatever the schedule; any other waits for as long as the schedule says first', () => {
  expect(firstWaitMs({ test: true }, [5000], 0.5)).toBe(0);
  expect(firstWaitMs({ test: false }, [5000], 0.5)).toBe(5000);
});

const endpoint = endpointFor('tnt_one', { endpointId: 'we_1', createdAt: NOW, updatedAt: NOW });

function leased(step: number, given: Partial<Delivery> = {}): LeasedDelivery {
  const delivery = {
    tenantId: 'tnt_one',
    deliveryId: 'dlv_1',
    endpointId: 'we_1',
    eventId: 'evt_1',
    eventType: 'parcel.weighed',
    poNumber: 'PO',
    status: 'pending',
    attemptCount: step,
    step,
    nextAttemptAt: NOW,
    nextReason: 'first',
    test: false,
    lastStatusCode: null,
    createdAt: NOW,
    ...given,
  } as const;
  return { endpoint, delivery, body: '{}', origin: { occurredAt: NOW, traceparent: null }, leaseUntil: NOW };
}

const reply = (statusCode: number | null, retryAfter: string | null = null): Reply => ({
  statusCode,
  error: statusCode !== null && statusCode < 300 ? null : 'no',
  errorCode: statusCode !== null && statusCode < 300 ? null : 'status',
  responseBody: null,
  retryAfter,
});

describe('what follows from a reply', () => {
  test('exactly 200 to 299 succeeds, 410 is gone, all else is tried again or fails', () => {
    fc.assert(
      fc.property(fc.option(fc.integer({ min: 100, max: 999 })), fc.nat(12), unit, (status, step, random) => {
        const settled = settle(leased(step), reply(status), schedule, NOW, random);
        const success = status !== null && status >= 200 && status < 300;
        const expected = success ? 'succeeded' : status === 410 ? 'held' : step + 1 < schedule.length ? 'pending' : 'failed';
        expect(settled.status).toBe(expected);
        expect(settled.gone).toBe(status === 410);
        expect(settled.nextAttemptAt !== null).toBe(expected === 'pending');
      }),
    );
  });

  test('a status of success with a broken response has not succeeded', () => {
    expect(settle(leased(0), { ...reply(200), error: 'cut' }, schedule, NOW, 0).status).toBe('pending');
  });
});

describe('what a reply brings', () => {
  const settled = (given: Reply, step = 0) => settle(leased(step), given, schedule, NOW, 0.5);

  test('is a next attempt by the schedule, or by the receiver when it asks for a longer wait', () => {
    expect(settled(reply(500))).toEqual({ status: 'pending', nextAttemptAt: NOW + 5000, nextReason: 'schedule', gone: false });
    expect(settled(reply(503, '5'))).toMatchObject({ nextAttemptAt: NOW + 5000, nextReason: 'schedule' });
    expect(settled(reply(503, '6'))).toMatchObject({ nextAttemptAt: NOW + 6000, nextReason: 'retry_after' });
    expect(settled(reply(503, 'soon'))).toMatchObject({ nextAttemptAt: NOW + 5000, nextReason: 'schedule' });
  });

  test.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
    [null, false],
  ])('of status %p is a success: %p', (status, success) => expect(isSuccess(status)).toBe(success));
});
