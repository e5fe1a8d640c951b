import { expect, test } from '@jest/globals';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { endpointFor, eventFor, T0 } from '../../testing/webhook-fixtures.ts';
import { type PlannedDelivery, planDelivery } from './plan-delivery.ts';

const event = eventFor('tnt_one', 'FC1');
const DUE: PlannedDelivery = { deliveryId: 'dlv_1', status: 'pending', nextAttemptAt: T0, leaseUntil: null };
const LEASED: PlannedDelivery = { ...DUE, leaseUntil: T0 + 60_000 };

interface Situation {
  readonly waitMs?: number;
  readonly hasRoom?: boolean;
}

/** Plans the event at an endpoint. @returns the plan, and whether room was taken */
function plan(given: Partial<Endpoint>, { waitMs = 0, hasRoom = true }: Situation = {}) {
  let tookRoom = false;
  const planned = planDelivery(event, endpointFor('tnt_one', given), {
    now: T0,
    newDeliveryId: () => 'dlv_1',
    firstWaitMs: () => waitMs,
    takeRoom: () => {
      tookRoom = hasRoom;
      return hasRoom;
    },
    leaseUntil: T0 + 60_000,
  });
  return [planned, tookRoom];
}

test('an event is leased from the beginning where an attempt can start at once', () => {
  expect(plan({})).toEqual([LEASED, true]);
});

test('where no attempt can start soon its delivery is due, for whoever leases it', () => {
  expect(plan({}, { hasRoom: false })).toEqual([DUE, false]);
});

test('a probe of a circuit is leased as any other', () => {
  expect(plan({ circuit: { openUntil: T0, cooldownMs: 1 } })).toEqual([LEASED, true]);
});

test.each<[string, Partial<Endpoint>, Situation, PlannedDelivery | null]>([
  ['the schedule begins with a wait', {}, { waitMs: 5 }, { ...DUE, nextAttemptAt: T0 + 5 }],
  ['the endpoint is paused', { status: 'paused' }, {}, DUE],
  ['the circuit of the endpoint is open', { circuit: { openUntil: T0 + 1, cooldownMs: 1 } }, {}, DUE],
  ['the endpoint is disabled', { status: 'disabled' }, {}, { ...DUE, status: 'held', nextAttemptAt: null }],
  ['the event is not for the endpoint', { eventTypes: [] }, {}, null],
])('no room is taken when %s', (_name, given, situation, expected) => {
  expect(plan(given, situation)).toEqual([expected, false]);
});
