import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { endpointFor, eventFor, T0 } from '../testing/webhook-fixtures.ts';
import { createEventAcceptance } from './accept-events.ts';
import { decideEvent } from './domain/decide-intake.ts';
import { type Delivery, LEASE_MS, type LeasedDelivery } from './domain/delivery.ts';
import type { TenantEvent } from './domain/tenant-event.ts';

interface Situation {
  /** How many attempts at each endpoint would start soon. */
  readonly room?: number;
  readonly refused?: string;
  /** Endpoints that are deleted before the event is stored. */
  readonly isLate?: boolean;
  /** The event is found stored, and its delivery is completed. */
  readonly isKnown?: boolean;
}

/** The intake of a tenant with some endpoints, on a store that keeps nothing. */
function world(endpoints: readonly Endpoint[], { room = 64, refused, isLate = false, isKnown = false }: Situation = {}) {
  const received: { event: TenantEvent; now: number; isReplayed: boolean }[] = [];
  const deliveries: Delivery[] = [];
  const ran: LeasedDelivery[] = [];
  const waiting: string[] = [];
  const state = { settlings: 0, untilNext: Promise.resolve() };
  const acceptance = createEventAcceptance({
    intake: {
      async accept(entries, now, isReplayed = false) {
        return entries.map((entry) => {
          received.push({ event: entry.event, now, isReplayed });
          if (entry.event.eventId === refused) return { error: new AppError('42201', 'refused') };
          const added = decideEvent(entry, isLate ? [] : endpoints, 0, now);
          deliveries.push(...added.deliveries.map(({ delivery }) => delivery));
          return { deliveries: isKnown ? [] : added.deliveries };
        });
      },
      untilNext: () => state.untilNext,
      settled: async () => {
        state.settlings += 1;
      },
    },
    log: { ofEvent: async (_tenantId, _endpointId, eventId) => deliveries.find((one) => one.eventId === eventId) },
    endpoints: { get: async (tenantId, id) => endpoints.find((one) => one.tenantId === tenantId && one.endpointId === id) },
    runner: {
      roomFor: () => room,
      run(leased, full = new Set()) {
        ran.push(...leased);
        waiting.push(...full);
      },
    },
    firstWaitMs: () => 0,
    clock: new ManualClock(T0),
    environment: 'sandbox',
  });
  return { acceptance, received, deliveries, ran, waiting, state };
}

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
const other = endpointFor('tnt_one', { endpointId: 'ep_2' });
const disabled = { ...endpoint, status: 'disabled', disabledReason: 'gone', disablingToPublish: T0 - 500 } as const;

test('an event from the log need not wait for the disk, since the log keeps it until it is settled; any other waits', async () => {
  const { acceptance, received, state } = world([endpoint]);
  await acceptance.accept([eventFor('tnt_one', 'FC1')]);
  await acceptance.sendTest('tnt_one', 'ep_1');
  await acceptance.publishDisabled(disabled);
  await acceptance.settled();
  expect(received.map(({ isReplayed }) => isReplayed)).toEqual([true, false, false]);
  expect(state.settlings).toBe(1);
});

describe('a batch of events', () => {
  const batch = ['FC1', 'FC2', 'FC3'].map((forecastNo) => eventFor('tnt_one', forecastNo));

  test('is stored together, and leases as many deliveries as there is room for; the endpoint is named when others wait in the store', async () => {
    const { acceptance, received, deliveries, ran, waiting } = world([endpoint], { room: 2 });
    await acceptance.accept(batch);
    expect(received.map(({ event }) => event)).toEqual(batch);
    expect(deliveries).toHaveLength(3);
    expect(ran.map(({ delivery, leaseUntil }) => [delivery, leaseUntil])).toEqual(
      deliveries.slice(0, 2).map((one) => [one, T0 + LEASE_MS]),
    );
    expect([deliveries[0]?.deliveryId, waiting]).toEqual([expect.stringMatching(/^dlv_/), ['ep_1']]);
  });

  test('starts the attempts of those that are stored when one is refused, and fails', async () => {
    const { acceptance, ran } = world([endpoint], { refused: batch[1]?.eventId ?? '' });
    await expect(acceptance.accept(batch)).rejects.toMatchObject({ code: '42201' });
    expect(ran).toHaveLength(2);
  });
});

test('further events of the log wait for the next batch, while the attempts of these have begun', async () => {
  const { acceptance, ran, state } = world([endpoint]);
  let next = (): void => undefined;
  state.untilNext = new Promise((resolve) => (next = resolve));
  let isAccepted = false;
  const accepting = acceptance.accept([eventFor('tnt_one', 'FC1')]).then(() => (isAccepted = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([ran.length, isAccepted]).toEqual([1, false]);
  next();
  await accepting;
});

describe('the event that an endpoint was disabled', () => {
  test('goes to the others, from the time of the disabling', async () => {
    const { acceptance, received, deliveries } = world([disabled, other]);
    await acceptance.publishDisabled(disabled);
    expect(deliveries).toMatchObject([{ endpointId: 'ep_2' }]);
    expect(received[0]).toMatchObject({ now: T0, event: { occurredAt: T0 - 500, about: 'ep_1', test: false } });
    expect(JSON.parse(received[0]?.event.render(null) ?? '')).toMatchObject({ data: { environment: 'sandbox', reason: 'gone' } });
  });

  test('has one id, however often it is published, and another for another disabling or endpoint', async () => {
    const { acceptance, received } = world([]);
    const all = [disabled, disabled, { ...disabled, disablingToPublish: T0 }, { ...disabled, endpointId: 'ep_2' }];
    for (const one of all) await acceptance.publishDisabled(one);
    const [first, again, ...others] = received.map(({ event }) => event.eventId);
    expect([first, again]).toEqual([expect.stringMatching(/^evt_[0-9a-f]{32}$/), first]);
    expect(new Set([first, ...others]).size).toBe(3);
  });
});

describe('a test event', () => {
  test('of one request is sent once, however often it is asked for', async () => {
    const { acceptance, deliveries } = world([endpoint]);
    const first = await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 1');
    expect(await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 1')).toBe(first);
    await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 2');
    await acceptance.sendTest('tnt_one', 'ep_1');
    expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(3);
  });

  test('that was stored by a call of which the response was lost is the one that is returned', async () => {
    const { acceptance, deliveries } = world([endpoint], { isKnown: true });
    expect(await acceptance.sendTest('tnt_one', 'ep_1', undefined, 'request 1')).toBe(deliveries[0]);
  });

  test('needs an endpoint of the tenant, until its event is stored', async () => {
    const missing = { code: '40403', message: 'The endpoint does not exist' };
    await expect(world([endpoint]).acceptance.sendTest('tnt_one', 'ep_9')).rejects.toMatchObject(missing);
    await expect(world([endpoint]).acceptance.sendTest('tnt_two', 'ep_1')).rejects.toMatchObject(missing);
    await expect(world([endpoint], { isLate: true }).acceptance.sendTest('tnt_one', 'ep_1')).rejects.toMatchObject(missing);
  });
});
