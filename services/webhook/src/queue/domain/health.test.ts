import { describe, expect, test } from '@jest/globals';
import type { Delivery, DeliveryStatus } from '../../intake/domain/delivery.ts';
import { leasedOf, resultOf, T0 } from '../../testing/webhook-fixtures.ts';
import { type DeliveryProgress, isInFlight, isReplayed, newRun, type ReplayWish } from '../redeliver.ts';
import { healthOf, isOfFormerReceiver } from './attempt.ts';

describe('a 410', () => {
  const { endpoint: former } = leasedOf();
  const gone = (given: boolean) => ({ gone: given, leased: leasedOf() });

  test('of the receiver that the endpoint has left says nothing of the one that it has', () => {
    expect(isOfFormerReceiver(gone(true), { ...former, url: 'https://other.example/' })).toBe(true);
    expect(isOfFormerReceiver(gone(true), former)).toBe(false);
    expect(isOfFormerReceiver(gone(false), { ...former, url: 'https://other.example/' })).toBe(false);
  });
});

describe('the health of an endpoint', () => {
  test('failed test events, and failed news of a disabling, say nothing of their health', () => {
    const failureOf = (given: Partial<Delivery>) => healthOf([resultOf(leasedOf(given), 'failed')]).firstFailureAt;
    expect(failureOf({ test: true })).toBeNull();
    expect(failureOf({ eventType: 'endpoint.disabled' })).toBeNull();
    expect(failureOf({})).toBe(T0);
  });

  test('is that nothing is known of it without attempts', () => {
    expect(healthOf([])).toEqual({ anySucceeded: false, firstFailureAt: null, gone: false, slowedUntil: null });
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
    const failed = (slowedUntil: number) => ({ ...resultOf(leasedOf(), 'failed'), slowedUntil });
    const held = (...results: Parameters<typeof healthOf>[0][number][]) => healthOf(results).slowedUntil;
    expect(held(failed(5), failed(7), resultOf(leasedOf(), 'failed'))).toBe(7);
    expect(held(failed(5), resultOf(leasedOf(), 'succeeded'))).toBeNull();
    expect(held(failed(5), resultOf(leasedOf(), 'succeeded'), failed(3))).toBe(3);
  });
});

const due: DeliveryProgress = { status: 'pending', nextAttemptAt: T0, isLeased: false };

test.each<[string, Partial<DeliveryProgress>, boolean]>([
  ['is due', {}, true],
  ['waits for its next attempt', { nextAttemptAt: T0 + 1 }, false],
  ['is leased, by a process whose clock is ahead', { nextAttemptAt: T0 + 1, isLeased: true }, true],
  ['was held', { status: 'held', nextAttemptAt: null }, false],
  ['has succeeded', { status: 'succeeded', nextAttemptAt: null }, false],
  ['starts a new run', newRun(T0), true],
])('a delivery that %s is in flight or not', (_name, given, expected) => {
  expect(isInFlight({ ...due, ...given }, T0)).toBe(expected);
});

const event = { type: 'parcel.weighed', body: '{"a":1}' } as const;
const wish = (given: Partial<ReplayWish> = {}): ReplayWish => ({ types: ['parcel.weighed'], only: 'all', matches: () => true, ...given });
const progressOf = (status: DeliveryStatus | undefined) => status && { ...due, status, nextAttemptAt: T0 + 1 };

test.each([
  ['all', [true, true, true, true, true]],
  ['undelivered', [true, false, true, true, true]],
  ['failed', [false, false, true, false, false]],
] as const)('a replay of %s chooses by the status of the delivery, events that never had one included', (only, chosen) => {
  const statuses = ['pending', 'succeeded', 'failed', 'held', undefined] as const;
  expect(statuses.map((status) => isReplayed(event, progressOf(status), wish({ only }), T0))).toEqual(chosen);
});

test('a replay leaves out other types, what is in flight and what the endpoint does not want; a body is looked at last', () => {
  expect(isReplayed(event, undefined, wish({ types: ['tracking.changed'] }), T0)).toBe(false);
  expect(isReplayed(event, due, wish(), T0)).toBe(false);
  const asked: string[] = [];
  const matches = (body: string): boolean => asked.push(body) === 0;
  expect(isReplayed(event, progressOf('succeeded'), wish({ only: 'undelivered', matches }), T0)).toBe(false);
  expect(asked).toEqual([]);
  expect(isReplayed(event, undefined, wish({ matches }), T0)).toBe(false);
  expect(asked).toEqual([event.body]);
});
