import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { endpointFor, eventFor, T0 } from '../testing/webhook-fixtures.ts';
import { createEventAcceptance } from './accept-events.ts';
import type { Delivery, LeasedDelivery } from './domain/delivery.ts';
import type { PlannedDelivery } from './domain/plan-delivery.ts';
import type { TenantEvent } from './domain/tenant-event.ts';
import type { AcceptedDelivery } from './ports.ts';

/** How long a delivery is leased, in milliseconds. */
const LEASE_MS = 60_000;

/** What an event meets. */
interface Situation {
  /** Wait before the first attempt. */
  readonly first?: number;
  /** How many attempts at each endpoint would start soon. */
  readonly room?: number;
  /** The event that the store refuses. */
  readonly refused?: string;
}

/** The intake of a tenant with some endpoints, on a store that keeps nothing. */
function world(endpoints: readonly Endpoint[], { first = 0, room = 64, refused }: Situation = {}) {
  const received: { event: TenantEvent; now: number; isReplayed: boolean }[] = [];
  const plans: (PlannedDelivery | null)[] = [];
  const ran: (readonly LeasedDelivery[])[] = [];
  const waiting: string[] = [];
  /** How many events had been received. */
  const settlings: number[] = [];
  const sent = new Map<string, Delivery>();
  const accepted = (event: TenantEvent, { deliveryId, leaseUntil }: PlannedDelivery): AcceptedDelivery => {
    const delivery = { deliveryId } as Delivery;
    sent.set(event.eventId, delivery);
    return { delivery, leased: leaseUntil === null ? null : ({ delivery } as LeasedDelivery) };
  };
  const acceptance = createEventAcceptance({
    intake: {
      async accept(entries, now, isReplayed = false) {
        return entries.map(({ event, plan }) => {
          received.push({ event, now, isReplayed });
          if (event.eventId === refused) return { error: new AppError('42201', 'refused') };
          try {
            const planned = endpoints.map((endpoint) => plan(endpoint));
            plans.push(...planned);
            return { deliveries: planned.flatMap((one) => (one === null ? [] : accepted(event, one))) };
          } catch (error) {
            return { error };
          }
        });
      },
      settled: async () => void settlings.push(received.length),
    },
    log: { ofEvent: async (_tenantId, _endpointId, eventId) => sent.get(eventId) },
    endpoints: { get: async (tenantId, id) => endpoints.find((one) => one.tenantId === tenantId && one.endpointId === id) },
    runner: {
      roomFor: () => room,
      run: (leased, full = new Set()) => {
        ran.push(leased);
        waiting.push(...full);
      },
    },
    firstWaitMs: () => first,
    clock: new ManualClock(T0),
    environment: 'sandbox',
    leaseMs: LEASE_MS,
  });
  return { acceptance, received, plans, ran, waiting, settlings };
}

/** An endpoint of the tenant. */
const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });

describe('an event', () => {
  const event = eventFor('tnt_one', 'FC1');
  const deliveryId = expect.stringMatching(/^dlv_/);

  test('need not wait for the disk when it comes from the log, which keeps it until it is settled; any other does', async () => {
    const { acceptance, received, settlings } = world([endpoint]);
    await acceptance.accept([event]);
    await acceptance.sendTest('tnt_one', 'ep_1');
    await acceptance.publishDisabled({ ...endpoint, status: 'disabled', disablingToPublish: T0 });
    await acceptance.settled();
    expect(received.map(({ isReplayed }) => isReplayed)).toEqual([true, false, false]);
    expect(settlings).toEqual([3]);
  });

  test('is leased to this process and started at once where there is room', async () => {
    const { acceptance, plans, ran } = world([endpoint]);
    await acceptance.accept([event]);
    expect(plans).toEqual([{ deliveryId, status: 'pending', nextAttemptAt: T0, leaseUntil: T0 + LEASE_MS }]);
    expect(ran).toEqual([[{ delivery: { deliveryId } }]]);
  });
});

describe('a batch of events', () => {
  const batch = ['FC1', 'FC2', 'FC3'].map((forecastNo) => eventFor('tnt_one', forecastNo));

  test('is stored together, and leases as many deliveries as there is room for; the endpoint is named when others wait in the store', async () => {
    const { acceptance, received, plans, ran, waiting } = world([endpoint], { room: 2 });
    await acceptance.accept(batch);
    expect(received.map(({ event }) => event)).toEqual(batch);
    expect(plans.map((planned) => planned?.leaseUntil)).toEqual([T0 + LEASE_MS, T0 + LEASE_MS, null]);
    expect([ran.flat().length, waiting]).toEqual([2, ['ep_1']]);
  });

  test('starts the attempts of those that are stored when one is refused, and fails', async () => {
    const { acceptance, ran } = world([endpoint], { refused: batch[1]?.eventId ?? '' });
    await expect(acceptance.accept(batch)).rejects.toMatchObject({ code: '42201' });
    expect(ran.flat()).toHaveLength(2);
  });
});

const other = endpointFor('tnt_one', { endpointId: 'ep_2' });

describe('the event that an endpoint was disabled', () => {
  const disabled = { ...endpoint, status: 'disabled', disabledReason: 'gone', disablingToPublish: T0 - 500 } as const;

  test('goes to the others, from the time of the disabling', async () => {
    const { acceptance, received, plans } = world([disabled, other]);
    await acceptance.publishDisabled(disabled);
    expect(plans).toEqual([null, expect.objectContaining({ status: 'pending' })]);
    expect(received[0]).toMatchObject({ now: T0, event: { occurredAt: T0 - 500, about: 'ep_1', test: false } });
    expect(JSON.parse(received[0]?.event.render(null) ?? '')).toMatchObject({ data: { environment: 'sandbox', reason: 'gone' } });
  });

  test('has one id, however often it is published, and another for another disabling or endpoint', async () => {
    const { acceptance, received } = world([]);
    const all = [disabled, disabled, { ...disabled, disablingToPublish: T0 }, { ...disabled, endpointId: 'ep_2' }];
    for (const one of all) await acceptance.publishDisabled(one);
    const [first, again, ...others] = received.map(({ event }) => event.eventId);
    expect(first).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(again).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
  });
});

describe('a test event', () => {
  test('of one request is sent once, however often it is asked for', async () => {
    const { acceptance, received } = world([endpoint]);
    const first = await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 1');
    expect(await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 1')).toBe(first);
    expect(await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 2')).not.toBe(first);
    expect(await acceptance.sendTest('tnt_one', 'ep_1')).not.toBe(first);
    expect(received).toHaveLength(3);
  });

  test('needs an endpoint of the tenant, until its event is stored', async () => {
    const missing = { code: '40403', message: 'The endpoint does not exist' };
    await expect(world([endpoint]).acceptance.sendTest('tnt_one', 'ep_9')).rejects.toMatchObject(missing);
    await expect(world([endpoint]).acceptance.sendTest('tnt_two', 'ep_1')).rejects.toMatchObject(missing);
    const { acceptance } = world([endpoint]);
    const gone = createEventAcceptance({
      intake: { accept: async () => [], settled: async () => undefined },
      log: { ofEvent: async () => undefined },
      endpoints: { get: async () => endpoint },
      runner: { roomFor: () => 64, run: () => undefined },
      firstWaitMs: () => 0,
      clock: new ManualClock(T0),
      environment: 'sandbox',
      leaseMs: LEASE_MS,
    });
    await expect(gone.sendTest('tnt_one', 'ep_1')).rejects.toMatchObject(missing);
    await expect(acceptance.sendTest('tnt_one', 'ep_1')).resolves.toBeDefined();
  });
});
