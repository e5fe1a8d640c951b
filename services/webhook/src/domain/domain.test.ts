import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { endpointFor, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { type Delivery, healthOf, type LeasedDelivery, type Reply, settle } from './delivery.ts';
import {
  activeSecrets,
  afterAttempts,
  change,
  disable,
  type Endpoint,
  FAILING_LIMIT_MS,
  FORMER_SECRET_MS,
  isPauseOver,
  leasable,
  MAX_PAUSE_MS,
  rotate,
  told,
} from './endpoint.ts';
import { INITIAL_LANE_LIMIT, limitAfter, MAX_LANE_LIMIT } from './lane-limit.ts';
import { DEFAULT_SCHEDULE_TEXT, MAX_RETRY_AFTER_MS, parseRetryAfter, parseSchedule, waitBefore } from './retry-schedule.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR = 3_600_000;
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

describe('endpoints', () => {
  test('sign with both secrets for exactly a day after a rotation', () => {
    const rotated = rotate(endpoint, 'whsec_b', false, NOW);
    expect(activeSecrets(rotated, NOW + FORMER_SECRET_MS - 1)).toEqual(['whsec_b', 'whsec_a']);
    expect(activeSecrets(rotated, NOW + FORMER_SECRET_MS)).toEqual(['whsec_b']);
    expect(activeSecrets(rotate(rotated, 'whsec_c', false, NOW), NOW)).toEqual(['whsec_c', 'whsec_b']);
    expect(activeSecrets(rotate(rotated, 'whsec_c', true, NOW), NOW)).toEqual(['whsec_c']);
  });

  test('are disabled after five days of nothing but failure, and not a moment before', () => {
    const failed = { anySucceeded: false, firstFailureAt: NOW, gone: false, restraint: {} };
    const failing = afterAttempts(endpoint, failed, NOW);
    expect(failing).toMatchObject({ status: 'enabled', failingSince: NOW });
    const later = { ...failed, firstFailureAt: NOW + HOUR };
    expect(afterAttempts(failing, later, NOW + FAILING_LIMIT_MS - 1)).toBe(failing);
    expect(afterAttempts(failing, later, NOW + FAILING_LIMIT_MS)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    const well = afterAttempts(failing, { ...later, anySucceeded: true }, NOW + FAILING_LIMIT_MS);
    expect(well).toMatchObject({ status: 'enabled', failingSince: null });
  });

  test('keep the first reason for which they were disabled, and start anew when enabled', () => {
    const gone = disable({ ...endpoint, failingSince: NOW }, 'gone', NOW);
    expect(change(gone, { status: 'disabled' }, NOW).disabledReason).toBe('gone');
    expect(change(gone, { status: 'enabled' }, NOW)).toMatchObject({ status: 'enabled', disabledReason: null, failingSince: null });
    expect(change(endpoint, { description: 'x' }, NOW + 1)).toEqual({ ...endpoint, description: 'x', updatedAt: NOW + 1 });
  });

  test('have a later time after each change, though the clock of who makes it is behind', () => {
    const changed = change(endpoint, { url: 'https://new.example/' }, NOW - HOUR);
    const rotated = rotate(changed, 'whsec_b', false, NOW - HOUR);
    const disabled = disable(rotated, 'failing', NOW - HOUR);
    const times = [endpoint, changed, rotated, disabled, change(disabled, { status: 'enabled' }, NOW + HOUR)].map(
      ({ updatedAt }) => updatedAt,
    );
    expect(times).toEqual([NOW, NOW + 1, NOW + 2, NOW + 3, NOW + HOUR]);
    expect(rotated.formerSecretUntil).toBe(NOW - HOUR + FORMER_SECRET_MS);
  });

  test('failed test events, and failed news of a disabling, say nothing of their health', () => {
    const failureOf = (given: Partial<Delivery>) => healthOf([resultOf(leased(0, given), 'failed')]).firstFailureAt;
    expect(failureOf({ test: true })).toBeNull();
    expect(failureOf({ eventType: 'endpoint.disabled' })).toBeNull();
    expect(failureOf({})).toBe(T0);
  });

  test('are paused until they are enabled, and disabled when the pause lasts too long', () => {
    const paused = change({ ...endpoint, failingSince: NOW }, { status: 'paused' }, NOW);
    expect(paused).toMatchObject({ status: 'paused', pausedAt: NOW, failingSince: NOW });
    expect(change(paused, { status: 'paused' }, NOW + HOUR)).toMatchObject({ pausedAt: NOW });
    expect([isPauseOver(paused, NOW + MAX_PAUSE_MS - 1), isPauseOver(paused, NOW + MAX_PAUSE_MS)]).toEqual([false, true]);
    expect(disable(paused, 'pause_expired', NOW + 1)).toMatchObject({ status: 'disabled', pausedAt: null, disablingToTell: NOW + 1 });
    expect(change(paused, { status: 'enabled' }, NOW)).toMatchObject({ status: 'enabled', pausedAt: null, failingSince: null });
    expect(isPauseOver(endpoint, Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  test('have nothing to tell of when the tenant disabled them, and nothing any more once it was told', () => {
    expect(change(endpoint, { status: 'disabled' }, NOW)).toMatchObject({ disabledReason: 'tenant', disablingToTell: null });
    const gone = disable(endpoint, 'gone', NOW);
    expect(told(gone).disablingToTell).toBeNull();
    expect(told(endpoint)).toBe(endpoint);
    expect(change(gone, { status: 'enabled' }, NOW).disablingToTell).toBeNull();
  });

  test('give up deliveries only while they may be sent to', () => {
    const circuit = { openUntil: NOW + 1000, cooldownMs: 1000 };
    const given = (some: Partial<Endpoint>, now = NOW) => leasable({ ...endpoint, ...some }, 10, now);
    expect([given({}), given({ status: 'paused' }), given({ status: 'disabled' })]).toEqual([10, 0, 0]);
    expect([given({ circuit }), given({ circuit }, NOW + 1000)]).toEqual([0, 1]);
  });

  test('have failed at the URL that they have, not at one that they have left', () => {
    const failing = { ...endpoint, failingSince: NOW - FAILING_LIMIT_MS + 1 };
    const moved = change(failing, { url: 'https://other.example/' }, NOW);
    expect(afterAttempts(moved, { anySucceeded: false, firstFailureAt: NOW, gone: false, restraint: {} }, NOW + HOUR)).toMatchObject({
      status: 'enabled',
      failingSince: NOW,
    });
    expect(change(failing, { url: failing.url }, NOW).failingSince).toBe(failing.failingSince);
  });

  test('are slowed down until the later of two ends, and not at all once they are paused', () => {
    const report = (slowedUntil: number) => ({ anySucceeded: false, firstFailureAt: null, gone: false, restraint: { slowedUntil } });
    const slowed = afterAttempts(endpoint, report(NOW + 60_000), NOW);
    expect(slowed.slowedUntil).toBe(NOW + 60_000);
    expect(afterAttempts(slowed, report(NOW + 2_000), NOW)).toBe(slowed);
    expect(afterAttempts({ ...slowed, status: 'paused' }, report(NOW + 90_000), NOW).slowedUntil).toBe(NOW + 60_000);
    const mixed = { ...report(NOW + 2_000), anySucceeded: true };
    expect(afterAttempts(slowed, mixed, NOW).slowedUntil).toBe(NOW + 2_000);
    expect(afterAttempts(slowed, { ...mixed, restraint: {} }, NOW).slowedUntil).toBeNull();
  });

  test('close their circuit with the first success, and with another URL', () => {
    const open = { ...endpoint, circuit: { openUntil: NOW, cooldownMs: 1000 } };
    expect(afterAttempts(open, { anySucceeded: true, firstFailureAt: null, gone: false, restraint: {} }, NOW).circuit).toBeNull();
    expect(change(open, { url: 'https://other.example/' }, NOW).circuit).toBeNull();
    expect(change(open, { url: open.url, description: 'x' }, NOW).circuit).toBe(open.circuit);
  });
});

describe('the limit of a lane', () => {
  test('stays between one and the maximum whatever happens', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('succeeded', 'failed', 'hung')), (outcomes) => {
        for (const limit of [outcomes.reduce<number>(limitAfter, INITIAL_LANE_LIMIT)]) {
          expect(limit).toBeGreaterThanOrEqual(1);
          expect(limit).toBeLessThanOrEqual(MAX_LANE_LIMIT);
        }
      }),
    );
    expect([limitAfter(8, 'succeeded'), limitAfter(8, 'failed'), limitAfter(8, 'hung')]).toEqual([9, 4, 1]);
  });
});
