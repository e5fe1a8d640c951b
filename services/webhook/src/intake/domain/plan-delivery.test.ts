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
  const roomLeft = new Map<string, number>();
  const waiting = new Set<string>();
  const planned = planDelivery(event, endpointFor('tnt_one', given), {
    now: T0,
    newDeliveryId: () => 'dlv_1',
    firstWaitMs: () => waitMs,
    roomFor: () => (hasRoom ? 64 : 0),
    roomLeft,
    waiting,
    leaseUntil: T0 + 60_000,
  });
  return [planned, roomLeft.size > 0 && waiting.size === 0];
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

test('of an endpoint never more is leased than there was room for at first, nor than it allows', () => {
  const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
  const leasedOf = (given: Partial<Endpoint>, room: number) => {
    const waiting = new Set<string>();
    const options = { now: T0, newDeliveryId: () => 'dlv_1', firstWaitMs: () => 0, roomFor: () => room, leaseUntil: T0 + 60_000 };
    const shared = { ...options, roomLeft: new Map<string, number>(), waiting };
    const plans = Array.from({ length: 3 }, () => planDelivery(event, { ...endpoint, ...given }, shared));
    return [plans.filter((one) => one?.leaseUntil !== null).length, [...waiting]];
  };
  expect(leasedOf({}, 3)).toEqual([3, []]);
  expect(leasedOf({}, 2)).toEqual([2, ['ep_1']]);
  expect(leasedOf({ circuit: { openUntil: T0, cooldownMs: 1 } }, 3)).toEqual([1, ['ep_1']]);
});

test.each(['paused', 'disabled'] as const)('a test event is refused by an endpoint that is %s', (status) => {
  const endpoint = endpointFor('tnt_one', { status });
  const options = { now: T0, newDeliveryId: () => 'dlv_1', firstWaitMs: () => 0, roomFor: () => 1, leaseUntil: T0 };
  const planTest = () =>
    planDelivery({ ...event, test: true, about: endpoint.endpointId }, endpoint, { ...options, roomLeft: new Map(), waiting: new Set() });
  expect(planTest).toThrow(`The endpoint is ${status}; enable it first with PATCH {"status": "enabled"}`);
});
