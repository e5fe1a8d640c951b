import { describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { endpointFor, eventFor, planned, T0 } from '../../testing/webhook-fixtures.ts';
import { decideEvent } from './decide-intake.ts';
import { type PlannedDelivery, planDelivery } from './plan-delivery.ts';
import type { TenantEvent } from './tenant-event.ts';

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });

test('an event takes the next number of its parcel; one without a parcel takes none', () => {
  const numbered = (given: Partial<TenantEvent>) => {
    const { sequence, stream, body } = decideEvent({ event: eventFor('tnt_one', 'FC1', given), plan: () => null }, [], 7, T0);
    return [sequence, stream, body];
  };
  expect(numbered({})).toEqual([8, 'standard', '{"seq":8}']);
  expect(numbered({ type: 'forecast.accepted' })).toEqual([8, 'opt_in', '{"seq":8}']);
  expect(numbered({ type: 'endpoint.disabled', parcel: null })).toEqual([null, 'standard', '{"seq":null}']);
});

test('what an attempt needs is there only with a lease', () => {
  const decided = (leaseUntil: number | null) =>
    decideEvent({ event: eventFor('tnt_one', 'FC1'), plan: () => planned({ leaseUntil }) }, [endpoint], 0, T0).deliveries[0];
  const one = decided(T0 + 1);
  const origin = { occurredAt: T0, traceparent: null };
  expect(one?.leased).toEqual({ endpoint, delivery: one?.delivery, body: '{"seq":1}', origin, leaseUntil: T0 + 1, version: 1 });
  expect(decided(null)?.leased).toBeNull();
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
    ['is due without a lease where no attempt can start soon', {}, { room: 0 }, DUE, false],
    ['takes no room when the schedule begins with a wait', {}, { waitMs: 5 }, { ...DUE, nextAttemptAt: T0 + 5 }, false],
    ['takes none at a paused endpoint', { status: 'paused' }, {}, DUE, false],
    ['is held at a disabled one', { status: 'disabled' }, {}, { ...DUE, status: 'held', nextAttemptAt: null }, false],
    ['is not made when the event is not for the endpoint', { eventTypes: [] }, {}, null, false],
  ])('%s', (_name, given, { room = 64, waitMs }, expected, takesRoom) => {
    const options = optionsFor(room, waitMs);
    expect(planDelivery(event, endpointFor('tnt_one', given), options)).toEqual(expected);
    expect(options.roomLeft.size > 0 && options.waiting.size === 0).toBe(takesRoom);
  });

  test('of an endpoint never more is leased than there was room for at first', () => {
    const leasedAt = (given: Partial<Endpoint>, room: number) => {
      const options = optionsFor(room);
      const plans = Array.from({ length: 3 }, () => planDelivery(event, { ...endpoint, ...given }, options));
      return [plans.filter((one) => one?.leaseUntil !== null).length, [...options.waiting]];
    };
    expect(leasedAt({}, 3)).toEqual([3, []]);
    expect(leasedAt({}, 2)).toEqual([2, ['ep_1']]);
  });

  test.each(['paused', 'disabled'] as const)('a test event is refused by an endpoint that is %s', (status) => {
    const endpoint = endpointFor('tnt_one', { status });
    const planTest = () => planDelivery({ ...event, test: true, about: endpoint.endpointId }, endpoint, optionsFor(1));
    expect(planTest).toThrow(`The endpoint is ${status}; enable it first with PATCH {"status": "enabled"}`);
  });
});
