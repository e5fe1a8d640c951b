import { describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { Delivery } from '../intake/domain/delivery.ts';
import { endpointFor, leasedOf, T0 } from '../testing/webhook-fixtures.ts';
import { deliveryView, endpointView } from './http-views.ts';

const NOW = T0 + 10_000;

function viewOf(endpoint: Partial<Endpoint>, delivery: Partial<Delivery>) {
  const { delivery: pending } = leasedOf({ attemptCount: 1, nextAttemptAt: NOW + 5_000, nextReason: 'schedule', ...delivery });
  const { next_attempt_time, next_attempt_reason } = deliveryView(pending, endpointFor('tnt_one', endpoint), NOW);
  return [next_attempt_reason, next_attempt_time === null ? null : Date.parse(next_attempt_time) - NOW];
}

describe('why a delivery is tried when it is, and when', () => {
  test.each<[string, Partial<Endpoint>, Partial<Delivery>, readonly [string | null, number | null]]>([
    ['by the schedule', {}, {}, ['schedule', 5_000]],
    ['new, on its way', {}, { nextAttemptAt: NOW - 999, nextReason: 'first' }, ['first', -999]],
    ['new, and not sent for a second', {}, { nextAttemptAt: NOW - 1000, nextReason: 'first' }, ['queued', -1000]],
    [
      'put off by its own Retry-After, of which the endpoint’s pause is a moment longer',
      { slowedUntil: NOW + 5_999 },
      { nextReason: 'retry_after' },
      ['retry_after', 5_999],
    ],
    ['due during a slow-down', { slowedUntil: NOW + 40_000 }, {}, ['queued', 40_000]],
    ['due after a slow-down', { slowedUntil: NOW + 4_000 }, {}, ['schedule', 5_000]],
    ['due during a slow-down that is over', { slowedUntil: NOW - 1 }, { nextAttemptAt: NOW - 2_000 }, ['queued', -2_000]],
    ['at an endpoint that is paused', { status: 'paused', pausedAt: T0 }, {}, ['paused', null]],
    ['delivered', {}, { status: 'succeeded', nextAttemptAt: null }, [null, null]],
  ])('%s', (_what, endpoint, delivery, expected) => {
    expect(viewOf(endpoint, delivery)).toEqual(expected);
  });
});

describe('an endpoint', () => {
  const ends = (endpoint: Partial<Endpoint>) => {
    const { health, former_secret_end_time } = endpointView(endpointFor('tnt_one', endpoint), NOW);
    return [health.slowdown_end_time, former_secret_end_time];
  };

  test('says until when it is slowed down and two secrets sign, as long as that is to come', () => {
    const slowedUntil = NOW + 1;
    const formerSecretUntil = NOW + 2;
    expect(ends({ slowedUntil, formerSecretUntil })).toEqual([isoInstant(slowedUntil), isoInstant(formerSecretUntil)]);
    expect(ends({ slowedUntil: NOW, formerSecretUntil: NOW })).toEqual([null, null]);
    expect(ends({ slowedUntil, status: 'paused' })).toEqual([null, null]);
    // A clock that is an hour ahead has written it.
    expect(ends({ slowedUntil: NOW + 3_600_000 })).toEqual([null, null]);
  });
});
