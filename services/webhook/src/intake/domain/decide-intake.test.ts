import { describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { endpointFor, eventFor, leasedOf, planned, T0 } from '../../testing/webhook-fixtures.ts';
import { decideIntake, type KnownBefore } from './decide-intake.ts';
import { createDelivery } from './delivery.ts';
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
});

test('what an attempt needs is there only with a lease', () => {
  const entry = { event: eventFor('tnt_one', 'FC1'), plan: () => planned({ leaseUntil: T0 + 1 }) };
  const [added] = decideIntake([entry], known(), T0).inserts;
  const [one] = added?.deliveries ?? [];
  if (!added || !one) throw new Error('nothing was decided');
  const { delivery } = one;
  const origin = { occurredAt: T0, traceparent: null };
  expect(one.leased).toEqual({ endpoint, delivery, body: '{"seq":1}', origin, leaseUntil: T0 + 1, version: 1 });
  const [withoutLease] = decideIntake(entriesOf([entry.event]), known(), T0).inserts;
  expect(withoutLease?.deliveries.map(({ leased }) => leased)).toEqual([null]);
});

test.each([
  ['pending', T0 + 5, 'first'],
  ['held', null, null],
] as const)('a new delivery that is %s is tried at %p', (status, nextAttemptAt, nextReason) => {
  const event = eventFor('tnt_one', 'FC1', { eventId: 'evt_1' });
  const made = createDelivery(event, 'we_1', { deliveryId: 'dlv_1', status, nextAttemptAt }, T0);
  expect(made).toEqual(leasedOf({ status, nextAttemptAt, nextReason }).delivery);
});

describe('the plan of a delivery', () => {
  const event = eventFor('tnt_one', 'FC1');
  const DUE: PlannedDelivery = { deliveryId: 'dlv_1', status: 'pending', nextAttemptAt: T0, leaseUntil: null };
  const LEASED: PlannedDelivery = { ...DUE, leaseUntil: T0 + 60_000 };

  interface Situation {
    readonly waitMs?: number;
    readonly room?: number;
  }

  const optionsFor = (room: number, waitMs = 0) => {
    const given = { now: T0, newDeliveryId: () => 'dlv_1', firstWaitMs: () => waitMs, roomFor: () => room, leaseUntil: T0 + 60_000 };
    return { ...given, roomLeft: new Map<string, number>(), waiting: new Set<string>() };
  };

  test.each<[string, Partial<Endpoint>, Situation, PlannedDelivery | null, boolean]>([
    ['is leased from the beginning where an attempt can start at once', {}, {}, LEASED, true],
    ['is leased as the probe of a circuit like any other', { circuit: { openUntil: T0, cooldownMs: 1 } }, {}, LEASED, true],
    ['is due without a lease where no attempt can start soon', {}, { room: 0 }, DUE, false],
    ['takes no room when the schedule begins with a wait', {}, { waitMs: 5 }, { ...DUE, nextAttemptAt: T0 + 5 }, false],
    ['takes none at a paused endpoint', { status: 'paused' }, {}, DUE, false],
    ['takes none at one whose circuit is open', { circuit: { openUntil: T0 + 1, cooldownMs: 1 } }, {}, DUE, false],
    ['is held at a disabled one', { status: 'disabled' }, {}, { ...DUE, status: 'held', nextAttemptAt: null }, false],
    ['is not made when the event is not for the endpoint', { eventTypes: [] }, {}, null, false],
  ])('%s', (_name, given, { room = 64, waitMs }, expected, takesRoom) => {
    const options = optionsFor(room, waitMs);
    expect(planDelivery(event, endpointFor('tnt_one', given), options)).toEqual(expected);
    expect(options.roomLeft.size > 0 && options.waiting.size === 0).toBe(takesRoom);
  });

  test('of an endpoint never more is leased than there was room for at first, nor than it allows', () => {
    const leasedAt = (given: Partial<Endpoint>, room: number) => {
      const options = optionsFor(room);
      const plans = Array.from({ length: 3 }, () => planDelivery(event, { ...endpoint, ...given }, options));
      return [plans.filter((one) => one?.leaseUntil !== null).length, [...options.waiting]];
    };
    expect(leasedAt({}, 3)).toEqual([3, []]);
    expect(leasedAt({}, 2)).toEqual([2, ['ep_1']]);
    expect(leasedAt({ circuit: { openUntil: T0, cooldownMs: 1 } }, 3)).toEqual([1, ['ep_1']]);
  });

  test.each(['paused', 'disabled'] as const)('a test event is refused by an endpoint that is %s', (status) => {
    const endpoint = endpointFor('tnt_one', { status });
    const planTest = () => planDelivery({ ...event, test: true, about: endpoint.endpointId }, endpoint, optionsFor(1));
    expect(planTest).toThrow(`The endpoint is ${status}; enable it first with PATCH {"status": "enabled"}`);
  });
});
