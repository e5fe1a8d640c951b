import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { endpointFor, eventFor, T0 } from '../testing/webhook-fixtures.ts';
import { createEventAcceptance } from './accept-events.ts';
import type { Delivery, LeasedDelivery } from './domain/delivery.ts';
import type { TenantEvent } from './domain/tenant-event.ts';
import type { PlannedDelivery } from './ports.ts';

const LEASE_MS = 60_000;

interface Situation {
  /** Wait before the first attempt. */
  readonly first?: number;
  readonly hasRoom?: boolean;
}

/** The intake of a tenant with some endpoints, on a store that keeps nothing. */
function world(endpoints: readonly Endpoint[], { first = 0, hasRoom = true }: Situation = {}) {
  const taken: { event: TenantEvent; now: number; comesAgain: boolean }[] = [];
  const plans: (PlannedDelivery | null)[] = [];
  const ran: (readonly LeasedDelivery[])[] = [];
  /** How many events had been taken in. */
  const settlings: number[] = [];
  const sent = new Map<string, Delivery>();
  const acceptance = createEventAcceptance({
    intake: {
      async accept(event, now, plan, comesAgain = false) {
        taken.push({ event, now, comesAgain });
        const made = endpoints.map((endpoint) => ({ endpoint, planned: plan(endpoint) }));
        plans.push(...made.map(({ planned }) => planned));
        return made.flatMap(({ planned }) => {
          if (!planned) return [];
          const delivery = { deliveryId: planned.deliveryId } as Delivery;
          sent.set(event.eventId, delivery);
          return [{ delivery, leased: planned.leaseUntil === null ? null : ({ delivery } as LeasedDelivery) }];
        });
      },
      settled: async () => void settlings.push(taken.length),
    },
    log: { ofEvent: async (_tenantId, _endpointId, eventId) => sent.get(eventId) },
    endpoints: { get: async (tenantId, id) => endpoints.find((one) => one.tenantId === tenantId && one.endpointId === id) },
    runner: { hasRoom: () => hasRoom, run: (leased) => void ran.push(leased) },
    firstWaitMs: () => first,
    clock: new ManualClock(T0),
    environment: 'sandbox',
    leaseMs: LEASE_MS,
  });
  return { acceptance, taken, plans, ran, settlings };
}

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
const other = endpointFor('tnt_one', { endpointId: 'ep_2' });

describe('an event', () => {
  const event = eventFor('tnt_one', 'FC1');
  const deliveryId = expect.stringMatching(/^dlv_/);

  test('need not wait for the disk when it comes from the log, which keeps it until it is settled; any other does', async () => {
    const { acceptance, taken, settlings } = world([endpoint]);
    await acceptance.accept(event);
    await acceptance.sendTest('tnt_one', 'ep_1');
    await acceptance.tellDisabled({ ...endpoint, status: 'disabled', disablingToTell: T0 });
    await acceptance.settled();
    expect(taken.map(({ comesAgain }) => comesAgain)).toEqual([true, false, false]);
    expect(settlings).toEqual([3]);
  });

  test('is leased to this process and started at once where there is room', async () => {
    const { acceptance, plans, ran } = world([endpoint]);
    await acceptance.accept(event);
    expect(plans).toEqual([{ deliveryId, status: 'pending', nextAttemptAt: T0, leaseUntil: T0 + LEASE_MS }]);
    expect(ran).toEqual([[{ delivery: { deliveryId } }]]);
  });

  const waiting: Partial<PlannedDelivery> = { status: 'pending', nextAttemptAt: T0, leaseUntil: null };
  test.each<[string, Partial<Endpoint>, Situation, Partial<PlannedDelivery> | null]>([
    ['there is no room', {}, { hasRoom: false }, waiting],
    ['the schedule begins with a wait', {}, { first: 5000 }, { ...waiting, nextAttemptAt: T0 + 5000 }],
    ['the endpoint is paused', { status: 'paused' }, {}, waiting],
    ['its circuit is open', { circuit: { openUntil: T0 + 1, cooldownMs: 1 } }, {}, waiting],
    ['the endpoint is disabled', { status: 'disabled' }, {}, { ...waiting, status: 'held', nextAttemptAt: null }],
    ['it is not for the endpoint', { eventTypes: ['tracking.changed'] }, {}, null],
  ])('is not started at once when %s', async (_name, given, situation, plan) => {
    const { acceptance, plans, ran } = world([{ ...endpoint, ...given }], situation);
    await acceptance.accept(event);
    expect(plans).toEqual([plan && { ...plan, deliveryId }]);
    expect(ran.flat()).toEqual([]);
  });

  test('is leased as a probe once the circuit may be probed', async () => {
    const { acceptance, ran } = world([{ ...endpoint, circuit: { openUntil: T0, cooldownMs: 1 } }]);
    await acceptance.accept(event);
    expect(ran.flat()).toHaveLength(1);
  });
});

describe('the news that an endpoint was disabled', () => {
  const disabled = { ...endpoint, status: 'disabled', disabledReason: 'gone', disablingToTell: T0 - 500 } as const;

  test('goes to the others, from the time of the disabling', async () => {
    const { acceptance, taken, plans } = world([disabled, other]);
    await acceptance.tellDisabled(disabled);
    expect(plans).toEqual([null, expect.objectContaining({ status: 'pending' })]);
    expect(taken[0]).toMatchObject({ now: T0, event: { occurredAt: T0 - 500, about: 'ep_1', test: false } });
    expect(JSON.parse(taken[0]?.event.render(null) ?? '')).toMatchObject({ data: { environment: 'sandbox', reason: 'gone' } });
  });

  test('has one id, however often it is told, and another for another disabling or endpoint', async () => {
    const { acceptance, taken } = world([]);
    const all = [disabled, disabled, { ...disabled, disablingToTell: T0 }, { ...disabled, endpointId: 'ep_2' }];
    for (const one of all) await acceptance.tellDisabled(one);
    const [first, again, ...others] = taken.map(({ event }) => event.eventId);
    expect(first).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(again).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
  });
});

describe('a test event', () => {
  test('goes to its endpoint alone, whatever that subscribes to', async () => {
    const { acceptance, taken, plans } = world([{ ...endpoint, eventTypes: [] }, other]);
    const { deliveryId } = await acceptance.sendTest('tnt_one', 'ep_1');
    expect(plans).toEqual([expect.objectContaining({ deliveryId }), null]);
    expect(taken[0]?.event).toMatchObject({ test: true, about: 'ep_1', occurredAt: T0, eventId: expect.stringMatching(/^evt_/) });
    expect(JSON.parse(taken[0]?.event.render(null) ?? '')).toMatchObject({ data: { environment: 'sandbox', endpoint_id: 'ep_1' } });
  });

  test('is of the type that is asked for', async () => {
    const { acceptance, taken } = world([endpoint]);
    await acceptance.sendTest('tnt_one', 'ep_1', 'tracking.changed');
    expect(taken[0]?.event.type).toBe('tracking.changed');
  });

  test('of one request is sent once, however often it is asked for', async () => {
    const { acceptance, taken } = world([endpoint]);
    const first = await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 1');
    expect(await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 1')).toBe(first);
    expect(await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 2')).not.toBe(first);
    expect(await acceptance.sendTest('tnt_one', 'ep_1')).not.toBe(first);
    expect(taken).toHaveLength(3);
  });

  test.each(['paused', 'disabled'] as const)('is refused by an endpoint that is %s, though others are as well', async (status) => {
    const { acceptance } = world([
      { ...other, status },
      { ...endpoint, status },
    ]);
    await expect(acceptance.sendTest('tnt_one', 'ep_1')).rejects.toMatchObject({
      code: '40902',
      message: `The endpoint is ${status}; enable it first with PATCH {"status": "enabled"}`,
    });
  });

  test('does not mind that another endpoint is paused', async () => {
    const { acceptance, ran } = world([{ ...other, status: 'paused' }, endpoint]);
    await acceptance.sendTest('tnt_one', 'ep_1');
    expect(ran.flat()).toHaveLength(1);
  });

  test('needs an endpoint of the tenant, from the look to the taking in', async () => {
    const missing = { code: '40403', message: 'The endpoint does not exist' };
    await expect(world([endpoint]).acceptance.sendTest('tnt_one', 'ep_9')).rejects.toMatchObject(missing);
    await expect(world([endpoint]).acceptance.sendTest('tnt_two', 'ep_1')).rejects.toMatchObject(missing);
    const { acceptance } = world([endpoint]);
    const gone = createEventAcceptance({
      intake: { accept: async () => [], settled: async () => undefined },
      log: { ofEvent: async () => undefined },
      endpoints: { get: async () => endpoint },
      runner: { hasRoom: () => true, run: () => undefined },
      firstWaitMs: () => 0,
      clock: new ManualClock(T0),
      environment: 'sandbox',
      leaseMs: LEASE_MS,
    });
    await expect(gone.sendTest('tnt_one', 'ep_1')).rejects.toMatchObject(missing);
    await expect(acceptance.sendTest('tnt_one', 'ep_1')).resolves.toBeDefined();
  });
});
