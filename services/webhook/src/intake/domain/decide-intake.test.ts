import { describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { endpointFor, eventFor, planned, T0 } from '../../testing/webhook-fixtures.ts';
import { createDelivery } from './create-delivery.ts';
import { decideIntake, type KnownBefore } from './decide-intake.ts';
import type { NumberedParcel } from './event-stream.ts';
import { type PlannedDelivery, planDelivery } from './plan-delivery.ts';
import type { TenantEvent } from './tenant-event.ts';

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
const plan = () => planned();
const entriesOf = (events: readonly TenantEvent[]) => events.map((event) => ({ event, plan }));

function known({ stored = [], last = 0 }: { readonly stored?: readonly string[]; readonly last?: number } = {}): KnownBefore {
  return {
    endpointsOf: (tenantId) => (tenantId === 'tnt_one' ? [endpoint] : []),
    isStored: ({ eventId }) => stored.includes(eventId),
    lastNumberOf: ({ forecastNo }: NumberedParcel) => (forecastNo === 'FC1' ? last : 0),
  };
}

describe('a batch', () => {
  test('numbers the events of each parcel and stream in their order, after the last that is stored', () => {
    const batch = [
      eventFor('tnt_one', 'FC1'),
      eventFor('tnt_one', 'FC2'),
      eventFor('tnt_one', 'FC1'),
      eventFor('tnt_one', 'FC2', { type: 'forecast.accepted' }),
      eventFor('tnt_two', 'FC1'),
    ];
    const { inserts } = decideIntake(entriesOf(batch), known({ last: 7 }), T0);
    expect(inserts.map(({ sequence, stream }) => [sequence, stream])).toEqual([
      [8, 'standard'],
      [1, 'standard'],
      [9, 'standard'],
      [1, 'opt_in'],
      [8, 'standard'],
    ]);
    expect(inserts.map(({ body }) => body)).toEqual(inserts.map(({ sequence }) => JSON.stringify({ seq: sequence })));
    expect(inserts.map(({ deliveries }) => deliveries.length)).toEqual([1, 1, 1, 1, 0]);
  });

  test('stores an event once: not one that is stored, nor a second of the same id, and neither takes a number', () => {
    const [before, fresh, next] = [eventFor('tnt_one', 'FC1'), eventFor('tnt_one', 'FC1'), eventFor('tnt_one', 'FC1')];
    const batch = [before, fresh, fresh, before, next];
    const { inserts, stored, repeated, refused } = decideIntake(entriesOf(batch), known({ stored: [before.eventId], last: 1 }), T0);
    expect(inserts.map(({ index, sequence }) => [index, sequence])).toEqual([
      [1, 2],
      [4, 3],
    ]);
    expect([stored, refused]).toEqual([[0], []]);
    expect(repeated).toEqual([
      { index: 2, first: 1 },
      { index: 3, first: 0 },
    ]);
  });

  test('refuses an event whose plan throws, and gives its number to the next', () => {
    const error = new Error('refused');
    const refuse = (): never => {
      throw error;
    };
    const entries = [
      { event: eventFor('tnt_one', 'FC1'), plan: refuse },
      { event: eventFor('tnt_one', 'FC1'), plan },
    ];
    const { inserts, refused } = decideIntake(entries, known(), T0);
    expect(inserts.map(({ index, sequence }) => [index, sequence])).toEqual([[1, 1]]);
    expect(refused).toEqual([{ index: 0, error }]);
  });

  test('gives an event that belongs to no parcel no number', () => {
    const { inserts } = decideIntake(entriesOf([eventFor('tnt_one', 'FC1', { parcel: null })]), known({ last: 7 }), T0);
    expect(inserts).toMatchObject([{ event: { parcel: null }, sequence: null, body: '{"seq":null}' }]);
  });
});

test('what an attempt needs is there only with a lease', () => {
  const entry = { event: eventFor('tnt_one', 'FC1'), plan: () => planned({ leaseUntil: T0 + 1 }) };
  const [added] = decideIntake([entry], known(), T0).inserts;
  const [one] = added?.deliveries ?? [];
  if (!added || !one) throw new Error('nothing was decided');
  const { delivery } = one;
  const origin = { occurredAt: T0, traceparent: null };
  expect(one.leased).toEqual({ endpoint, delivery, body: '{"seq":1}', origin, leaseUntil: T0 + 1 });
  const [withoutLease] = decideIntake(entriesOf([entry.event]), known(), T0).inserts;
  expect(withoutLease?.deliveries.map(({ leased }) => leased)).toEqual([null]);
});

test('a new delivery waits for its first attempt, a held one for nothing', () => {
  const event = eventFor('tnt_one', 'FC1', { eventId: 'evt_1' });
  expect(createDelivery(event, 'ep_1', { deliveryId: 'dlv_1', status: 'pending', nextAttemptAt: T0 + 5 }, T0)).toEqual({
    tenantId: 'tnt_one',
    deliveryId: 'dlv_1',
    endpointId: 'ep_1',
    eventId: 'evt_1',
    eventType: 'parcel.weighed',
    poNumber: 'PO',
    status: 'pending',
    attemptCount: 0,
    step: 0,
    test: false,
    nextAttemptAt: T0 + 5,
    nextReason: 'first',
    lastStatusCode: null,
    createdAt: T0,
  });
  const held = createDelivery(event, 'ep_1', { deliveryId: 'dlv_1', status: 'held', nextAttemptAt: null }, T0);
  expect([held.nextAttemptAt, held.nextReason]).toEqual([null, null]);
});

describe('the plan of a delivery', () => {
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

  test('leases the probe of a circuit like any other delivery', () => {
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
});
