import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { TenantEvent } from '../intake/domain/tenant-event.ts';
import { events } from '../intake/event-collections.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { eventFor, keep, planned, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { createRedeliverer, MAX_REPLAYED, type Redeliverer, type ReplayRange } from './redeliver.ts';

const DAY_MS = 86_400_000;
const under = useStores();
const { accept, acceptOne, leaseAll, find } = under;

let clock: ManualClock;
let made: Redeliverer;
let wakes: number;
let endpointId: string;
beforeEach(() => {
  clock = new ManualClock(T0 + 5);
  wakes = 0;
  const runner = {
    wake: () => {
      wakes += 1;
    },
  };
  ({ endpointId } = under.endpoint);
  made = createRedeliverer({ store: under.documents, endpoints: under.stores.endpoints, runner, clock, retentionMs: DAY_MS });
});
const change = (given: Partial<Endpoint>) => under.stores.endpoints.update('tnt_one', endpointId, (one) => ({ ...one, ...given }));
const replay = (given: Partial<ReplayRange> = {}) => made.replay('tnt_one', endpointId, { since: T0, until: T0 + 1000, ...given });
const held = () => planned({ status: 'held', nextAttemptAt: null });
/** Ids of the events that are sent again. */
const due = async (): Promise<string[]> => (await leaseAll(T0 + 5, T0 + 9000)).map(({ delivery }) => delivery.eventId);

/** Takes an event in and has its delivery come to `status`. */
async function settled(status: 'succeeded' | 'failed', given: Partial<TenantEvent> = {}): Promise<TenantEvent> {
  const event = eventFor('tnt_one', 'FC1', given);
  const { leased } = await acceptOne(event, planned({ leaseUntil: T0 + 500 }));
  await under.stores.queue.record([resultOf(leased as LeasedDelivery, status)], keep);
  return event;
}

/** Stores events of which no endpoint had a delivery. */
async function storeEvents(count: number): Promise<void> {
  const common = {
    tenantId: 'tnt_one',
    type: 'parcel.weighed',
    body: '{}',
    occurredAt: T0,
    createdAt: T0,
    stream: 'standard',
    planned: [],
  } as const;
  const all = Array.from({ length: count }, (_, index) => ({
    ...common,
    planned: [],
    eventId: `evt_${index}`,
    storedAt: T0 * 1000 + index,
  }));
  await under.documents.apply(all.map((insert) => ({ in: events, insert })));
}

describe('a resend', () => {
  test('starts a new run, but never beside one that is under way, and wakes the dispatcher', async () => {
    const { delivery } = await acceptOne();
    const resend = () => made.resend('tnt_one', endpointId, delivery.deliveryId);
    const [first] = await leaseAll(T0, T0 + 1000);
    expect(await resend()).toMatchObject({ status: 'pending', nextAttemptAt: T0 });
    expect(await leaseAll(T0 + 5, T0 + 1000)).toEqual([]);
    await under.stores.queue.record([resultOf(first as LeasedDelivery, 'failed')], keep);
    const again = { status: 'pending', attemptCount: 1, step: 0, nextAttemptAt: T0 + 5, nextReason: 'first' };
    expect(await resend()).toMatchObject(again);
    expect(await find(delivery.deliveryId)).toMatchObject(again);
    expect([await leaseAll(T0 + 5, T0 + 9000), wakes]).toMatchObject([[{}], 2]);
  });

  test('is refused when there is no such delivery or endpoint, or the endpoint is not enabled, as is a replay', async () => {
    const { delivery } = await acceptOne();
    await expect(made.resend('tnt_one', endpointId, 'dlv_9')).rejects.toMatchObject({
      code: '40403',
      message: 'The delivery does not exist',
    });
    const elsewhere = made.resend('tnt_two', endpointId, delivery.deliveryId);
    await expect(elsewhere).rejects.toMatchObject({ code: '40403', message: 'The endpoint does not exist' });
    await change({ status: 'paused' });
    await expect(made.resend('tnt_one', endpointId, delivery.deliveryId)).rejects.toMatchObject({ code: '40902' });
    await expect(replay()).rejects.toMatchObject({ code: '40902' });
    expect(wakes).toBe(0);
  });
});

describe('a replay', () => {
  test('makes what was held, has failed or was never had due, within its range, in both streams, and skips the rest', async () => {
    await change({ eventTypes: ['parcel.weighed', 'parcel.arrived'] });
    const of = (given: Partial<TenantEvent>) => eventFor('tnt_one', 'FC1', given);
    const inside = [of({ occurredAt: T0 }), of({ type: 'parcel.arrived' }), of({ occurredAt: T0 + 999 })] as const;
    await accept(inside[0], held);
    await accept(inside[1], () => null);
    await accept(inside[2], held);
    const failed = await settled('failed');
    const sent = await settled('succeeded');
    for (const occurredAt of [T0 - 1, T0 + 1000]) await accept(of({ occurredAt }), () => null);
    await accept(of({ type: 'tracking.changed' }), () => null);
    await accept(eventFor('tnt_two', 'FC1'), () => null);
    await accept(of({ parcel: null, test: true, about: endpointId }), () => null);
    expect(await replay()).toEqual({ scheduled: 4, next: null });
    expect((await due()).sort()).toEqual([...inside, failed].map(({ eventId }) => eventId).sort());
    expect([(await replay()).scheduled, (await replay({ only: 'all' })).scheduled]).toEqual([0, 1]);
    expect((await under.stores.log.ofEvent('tnt_one', endpointId, sent.eventId))?.status).toBe('pending');
  });

  test('sends what the filter of the endpoint matches, by the stored body', async () => {
    await change({ filter: { is_terminal: true } });
    const [wanted, other] = [true, false].map((is_terminal) =>
      eventFor('tnt_one', 'FC1', { render: () => JSON.stringify({ data: { is_terminal } }) }),
    ) as [TenantEvent, TenantEvent];
    for (const event of [wanted, other]) await accept(event, () => null);
    expect((await replay()).scheduled).toBe(1);
    expect(await due()).toEqual([wanted.eventId]);
  });

  test('ends with a place when it has made ten thousand due, from which the next call goes on, whatever end is given with it', async () => {
    await storeEvents(MAX_REPLAYED + 1);
    // However slow the machine is.
    const time = jest.spyOn(performance, 'now').mockReturnValue(0);
    const first = await replay({ until: T0 + 1 }).finally(() => time.mockRestore());
    expect(first).toEqual({ scheduled: MAX_REPLAYED, next: `${T0 + 1}/${T0 * 1000 + MAX_REPLAYED - 1}/evt_${MAX_REPLAYED - 1}` });
    await accept(eventFor('tnt_one', 'FC1', { occurredAt: T0 + 2 }), () => null);
    expect(await replay({ until: T0 + 9, after: first.next ?? '' })).toEqual({ scheduled: 1, next: null });
  });

  test('ends with a place after some seconds', async () => {
    await storeEvents(1100);
    const apply = jest.spyOn(under.documents, 'apply');
    const time = jest.spyOn(performance, 'now').mockImplementation(() => apply.mock.calls.length * 2600);
    const outcome = await replay().finally(() => time.mockRestore());
    expect(outcome).toMatchObject({ scheduled: 1000, next: expect.stringContaining('/evt_999') });
  });

  test('begins where the retention does', async () => {
    await storeEvents(1);
    clock.advance(DAY_MS);
    expect(await replay({ since: 0 })).toEqual({ scheduled: 0, next: null });
    expect(await replay({ since: 0, until: T0 })).toEqual({ scheduled: 0, next: null });
    clock.advance(-5);
    expect((await replay({ since: 0 })).scheduled).toBe(1);
  });

  test('is refused when the range ends before it begins', async () => {
    await expect(replay({ since: T0 - 5, until: T0 - 5 })).rejects.toMatchObject({
      data: { errors: [{ field: 'until', rule: 'range', message: 'until must be later than since' }] },
    });
  });
});
