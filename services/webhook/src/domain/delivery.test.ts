import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { endpointFor, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import {
  countsForHealth,
  type Delivery,
  healthOf,
  isOfFormerReceiver,
  isSuccess,
  type LeasedDelivery,
  type Reply,
  scheduleFor,
  settle,
} from './delivery.ts';
import { DEFAULT_SCHEDULE_TEXT, MAX_RETRY_AFTER_MS, parseSchedule } from './retry-schedule.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const schedule = parseSchedule(DEFAULT_SCHEDULE_TEXT);
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

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

  test('the next attempt is never earlier than the schedule nor than Retry-After, and at most a day later than the schedule', () => {
    fc.assert(
      fc.property(fc.nat(8), unit, fc.nat(10 ** 6), (step, random, seconds) => {
        const plain = settle(leased(step), reply(503), schedule, NOW, random).nextAttemptAt as number;
        const asked = settle(leased(step), reply(503, String(seconds)), schedule, NOW, random).nextAttemptAt as number;
        expect(asked).toBe(Math.max(plain, NOW + Math.min(seconds * 1000, MAX_RETRY_AFTER_MS)));
      }),
    );
  });

  test('a status of success with a broken answer has not succeeded', () => {
    expect(settle(leased(0), { ...reply(200), error: 'cut' }, schedule, NOW, 0).status).toBe('pending');
  });

  test('a test event is tried once', () => {
    expect(settle(leased(0, { test: true }), reply(500), schedule, NOW, 0).status).toBe('failed');
  });
});

describe('what a reply brings', () => {
  const settled = (given: Reply, step = 0) => settle(leased(step), given, schedule, NOW, 0.5);

  test('is an end without a next attempt', () => {
    expect(settled(reply(204))).toEqual({ status: 'succeeded', nextAttemptAt: null, nextReason: null, gone: false });
    expect(settled(reply(410))).toEqual({ status: 'held', nextAttemptAt: null, nextReason: null, gone: true });
    expect(settled(reply(500), 9)).toEqual({ status: 'failed', nextAttemptAt: null, nextReason: null, gone: false });
  });

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

test('a test event has a schedule of one attempt', () => {
  expect(scheduleFor({ test: true }, schedule)).toEqual([0]);
  expect(scheduleFor({ test: false }, schedule)).toBe(schedule);
});

describe('a 410', () => {
  const { endpoint: former } = leased(0);
  const gone = (given: boolean) => ({ gone: given, leased: leased(0) });

  test('of the receiver that the endpoint has left says nothing of the one that it has', () => {
    expect(isOfFormerReceiver(gone(true), { ...former, url: 'https://other.example/' })).toBe(true);
    expect(isOfFormerReceiver(gone(true), former)).toBe(false);
    expect(isOfFormerReceiver(gone(false), { ...former, url: 'https://other.example/' })).toBe(false);
  });
});

describe('the health of an endpoint', () => {
  test('failed test events, and failed news of a disabling, say nothing of their health', () => {
    const failureOf = (given: Partial<Delivery>) => healthOf([resultOf(leased(0, given), 'failed')]).firstFailureAt;
    expect(failureOf({ test: true })).toBeNull();
    expect(failureOf({ eventType: 'endpoint.disabled' })).toBeNull();
    expect(failureOf({})).toBe(T0);
  });

  test('counts failures of events that the tenant subscribes to', () => {
    const counts = (given: Partial<Delivery>) => countsForHealth(leased(0, given).delivery);
    expect([counts({}), counts({ test: true }), counts({ eventType: 'endpoint.disabled' })]).toEqual([true, false, false]);
  });

  test('is that nothing is known of it without attempts', () => {
    expect(healthOf([])).toEqual({ anySucceeded: false, firstFailureAt: null, gone: false, restraint: {} });
  });

  test('tells of any success, of the first failure and of any 410', () => {
    const at = (startedAt: number, status: 'succeeded' | 'failed') => {
      const result = resultOf(leased(0), status);
      return { ...result, attempt: { ...result.attempt, startedAt } };
    };
    expect(healthOf([at(T0 + 5, 'failed'), at(T0 + 2, 'failed'), at(T0 + 1, 'succeeded')])).toMatchObject({
      anySucceeded: true,
      firstFailureAt: T0 + 2,
      gone: false,
    });
    expect(healthOf([at(T0, 'failed'), { ...at(T0, 'failed'), gone: true }])).toMatchObject({ anySucceeded: false, gone: true });
  });

  test('is held back by what was learnt since the last success', () => {
    const failed = (restraint: object) => ({ ...resultOf(leased(0), 'failed'), restraint });
    const circuit = { openUntil: T0, cooldownMs: 1000 };
    const held = (...results: Parameters<typeof healthOf>[0][number][]) => healthOf(results).restraint;
    expect(held(failed({ circuit }), failed({ slowedUntil: 5 }))).toEqual({ circuit, slowedUntil: 5 });
    expect(held(failed({ slowedUntil: 5 }), failed({ slowedUntil: 7 }))).toEqual({ slowedUntil: 7 });
    expect(held(failed({ circuit }), resultOf(leased(0), 'succeeded'))).toEqual({});
    expect(held(failed({ circuit }), resultOf(leased(0), 'succeeded'), failed({ slowedUntil: 5 }))).toEqual({ slowedUntil: 5 });
  });
});
