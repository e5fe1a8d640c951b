import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Delivery, LeasedDelivery } from '../../intake/domain/delivery.ts';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { DEFAULT_SCHEDULE_TEXT, MAX_RETRY_AFTER_MS, parseSchedule } from './retry-schedule.ts';
import { isSuccess, type Reply, settle } from './settle.ts';

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

  test('a status of success with a broken response has not succeeded', () => {
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
