import { describe, expect, test } from '@jest/globals';
import type { Delivery, DeliveryStatus } from '../../intake/domain/delivery.ts';
import { endpointFor, leasedOf, resultOf, T0 } from '../../testing/webhook-fixtures.ts';
import { changeAfter, isOfFormerReceiver } from './attempt.ts';
import { healthOf } from './health.ts';
import { type DeliveryProgress, isInFlight, newRun } from './in-flight.ts';
import { decideReplay, isChosen, type ReplayableEvent, type ReplayWish } from './replay.ts';

describe('a 410', () => {
  const { endpoint: former } = leasedOf();
  const gone = (given: boolean) => ({ gone: given, leased: leasedOf() });

  test('of the receiver that the endpoint has left says nothing of the one that it has', () => {
    expect(isOfFormerReceiver(gone(true), { ...former, url: 'https://other.example/' })).toBe(true);
    expect(isOfFormerReceiver(gone(true), former)).toBe(false);
    expect(isOfFormerReceiver(gone(false), { ...former, url: 'https://other.example/' })).toBe(false);
  });
});

test.each([
  ['succeeded', false, 'succeed'],
  ['failed', false, 'settle'],
  ['pending', false, 'settle'],
  ['held', true, 'release'],
] as const)('a result of %s with gone %s makes a delivery %s', (status, gone, change) => {
  expect(changeAfter({ status, gone })).toBe(change);
});

describe('the health of an endpoint', () => {
  test('failed test events, and failed news of a disabling, say nothing of their health', () => {
    const failureOf = (given: Partial<Delivery>) => healthOf([resultOf(leasedOf(given), 'failed')]).firstFailureAt;
    expect(failureOf({ test: true })).toBeNull();
    expect(failureOf({ eventType: 'endpoint.disabled' })).toBeNull();
    expect(failureOf({})).toBe(T0);
  });

  test('is that nothing is known of it without attempts', () => {
    expect(healthOf([])).toEqual({ anySucceeded: false, firstFailureAt: null, gone: false, restraint: {} });
  });

  test('shows any success, the first failure and any 410', () => {
    const at = (startedAt: number, status: 'succeeded' | 'failed') => {
      const result = resultOf(leasedOf(), status);
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
    const failed = (restraint: object) => ({ ...resultOf(leasedOf(), 'failed'), restraint });
    const circuit = { openUntil: T0, cooldownMs: 1000 };
    const held = (...results: Parameters<typeof healthOf>[0][number][]) => healthOf(results).restraint;
    expect(held(failed({ circuit }), failed({ slowedUntil: 5 }))).toEqual({ circuit, slowedUntil: 5 });
    expect(held(failed({ slowedUntil: 5 }), failed({ slowedUntil: 7 }))).toEqual({ slowedUntil: 7 });
    expect(held(failed({ circuit }), resultOf(leasedOf(), 'succeeded'))).toEqual({});
    expect(held(failed({ circuit }), resultOf(leasedOf(), 'succeeded'), failed({ slowedUntil: 5 }))).toEqual({ slowedUntil: 5 });
  });
});

const due: DeliveryProgress = { status: 'pending', nextAttemptAt: T0, isLeased: false };

test.each<[string, Partial<DeliveryProgress>, boolean]>([
  ['is due', {}, true],
  ['waits for its next attempt', { nextAttemptAt: T0 + 1 }, false],
  ['is leased, by a process whose clock is ahead', { nextAttemptAt: T0 + 1, isLeased: true }, true],
  ['was held', { status: 'held', nextAttemptAt: null }, false],
  ['has succeeded', { status: 'succeeded', nextAttemptAt: null }, false],
  ['has failed', { status: 'failed', nextAttemptAt: null }, false],
])('a delivery that %s is in flight or not', (_name, given, expected) => {
  expect(isInFlight({ ...due, ...given }, T0)).toBe(expected);
});

test('a delivery is in flight from the beginning of a new run', () => {
  expect(isInFlight({ ...newRun(T0), isLeased: false }, T0)).toBe(true);
});

const event = { type: 'parcel.weighed', body: '{"a":1}' } as const;
const wish = (given: Partial<ReplayWish> = {}): ReplayWish => ({ types: ['parcel.weighed'], only: 'all', matches: () => true, ...given });
const statuses: readonly (DeliveryStatus | undefined)[] = ['pending', 'succeeded', 'failed', 'held', undefined];

test.each([
  ['all', [true, true, true, true, true]],
  ['undelivered', [true, false, true, true, true]],
  ['failed', [false, false, true, false, false]],
] as const)('a replay of %s chooses by the status of the delivery, events that never had one included', (only, chosen) => {
  expect(statuses.map((status) => isChosen(event, status, wish({ only })))).toEqual(chosen);
});

test('other types are left out, and so is what the endpoint does not want', () => {
  expect(isChosen(event, undefined, wish({ types: ['tracking.changed'] }))).toBe(false);
  expect(isChosen(event, undefined, wish({ matches: (body) => body !== event.body }))).toBe(false);
});

test('a body is only looked at when all else fits', () => {
  const matches = (): never => {
    throw new Error('looked at');
  };
  expect(isChosen(event, 'succeeded', wish({ only: 'undelivered', matches }))).toBe(false);
});

test('a replay restarts what is not in flight, and makes a delivery of an event that never had one', () => {
  const one: ReplayableEvent = { eventId: 'evt_1', poNumber: 'PO', test: false, ...event };
  const failed: DeliveryProgress = { status: 'failed', nextAttemptAt: null, isLeased: false };
  const due: DeliveryProgress = { status: 'pending', nextAttemptAt: T0, isLeased: false };
  const candidates = [failed, due, undefined].flatMap((delivery) => [one, { ...one, test: true }].map((of) => ({ event: of, delivery })));
  const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
  const { restarts, inserts } = decideReplay(endpoint, candidates, wish(), T0, () => 'dlv_1');
  expect(restarts).toEqual([failed]);
  const ids = {
    tenantId: 'tnt_one',
    endpointId: 'ep_1',
    deliveryId: 'dlv_1',
    eventId: 'evt_1',
    eventType: 'parcel.weighed',
    poNumber: 'PO',
  };
  const state = { status: 'pending', attemptCount: 0, step: 0, test: false, nextAttemptAt: T0, nextReason: 'first', lastStatusCode: null };
  expect(inserts).toEqual([{ ...ids, ...state, createdAt: T0 }]);
});
