import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@parcelway/kernel/ids';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { TenantEvent } from '../intake/domain/tenant-event.ts';
import type { WebhookStores } from '../ports.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { eventFor, keep, planned, replayOf, resultOf, T0 } from '../testing/webhook-fixtures.ts';

const under = useStores();

describe('redelivery', () => {
  const { accept, acceptOne, leaseAll, find } = under;
  let stores: WebhookStores;
  let endpoint: Endpoint;
  beforeEach(() => {
    ({ stores, endpoint } = under);
  });

  const range = replayOf({ since: T0, until: T0 + 1000, only: 'undelivered' });

  test('resend starts a new run, but never beside one that is under way', async () => {
    const { delivery } = await acceptOne();
    const resend = (tenant: string, now: number) => stores.redelivery.resend(tenant, endpoint.endpointId, delivery.deliveryId, now);
    const [first] = await leaseAll(T0, T0 + 1000);
    expect(await resend('tnt_one', T0 + 1)).toMatchObject({ status: 'pending', nextAttemptAt: T0 });
    expect(await leaseAll(T0 + 1, T0 + 1000)).toEqual([]);
    await stores.queue.record([resultOf(first as LeasedDelivery, 'failed')], keep);
    expect(await resend('tnt_two', T0 + 2)).toBeUndefined();
    expect(await resend('tnt_one', T0 + 2)).toMatchObject({ status: 'pending', attemptCount: 1, step: 0, nextAttemptAt: T0 + 2 });
    expect(await find(delivery.deliveryId)).toMatchObject({ nextReason: 'first' });
    expect(await leaseAll(T0 + 2, T0 + 9000)).toHaveLength(1);
  });

  /** Takes an event in and has its delivery come to `status`. */
  async function settled(status: 'succeeded' | 'failed', body: string): Promise<TenantEvent> {
    const event = eventFor('tnt_one', 'FC1', { render: () => body });
    const { leased } = await acceptOne(event, planned({ leaseUntil: T0 + 500 }));
    await stores.queue.record([resultOf(leased as LeasedDelivery, status)], keep);
    return event;
  }
  const replayed = (given: Partial<Parameters<WebhookStores['redelivery']['replay']>[1]>) =>
    stores.redelivery.replay(endpoint, { ...range, ...given }, T0 + 5, () => newId('dlv'));

  test('replay of what has failed leaves held, delivered and never had alone', async () => {
    const failed = await settled('failed', '{}');
    await settled('succeeded', '{}');
    await acceptOne(eventFor('tnt_one', 'FC1'), planned({ status: 'held', nextAttemptAt: null }));
    await accept(eventFor('tnt_one', 'FC1'), () => null);
    expect(await replayed({ only: 'failed' })).toMatchObject({ scheduled: 1, next: null });
    const due = await leaseAll(T0 + 5, T0 + 9000);
    expect(due.map(({ delivery: { eventId, nextReason, step } }) => [eventId, nextReason, step])).toEqual([[failed.eventId, 'first', 0]]);
  });

  test('replay sends what matches, by the stored body, of what would be sent again', async () => {
    await settled('failed', '{"n":1}');
    await settled('succeeded', '{"n":2}');
    await accept(eventFor('tnt_one', 'FC1', { render: () => '{"n":3}' }), () => null);
    await accept(eventFor('tnt_one', 'FC1', { type: 'tracking.changed', render: () => '{"n":4}' }), () => null);
    const asked = new Set<string>();
    const matches = (body: string): boolean => {
      asked.add(body);
      return body === '{"n":3}';
    };
    expect((await replayed({ matches })).scheduled).toBe(1);
    // It need not be asked of what is left out anyway, and never of other types.
    expect([...asked].filter((body) => body !== '{"n":2}').sort()).toEqual(['{"n":1}', '{"n":3}']);
    const due = await leaseAll(T0 + 5, T0 + 9000);
    expect(due.map(({ body, delivery }) => [body, delivery.nextReason])).toEqual([['{"n":3}', 'first']]);
  });

  test('replay never sends test events, whatever their type', async () => {
    const test = { parcel: null, test: true, about: endpoint.endpointId } as const;
    await accept(eventFor('tnt_one', '', test), () => null);
    const { leased } = await acceptOne(eventFor('tnt_one', '', test), planned({ leaseUntil: T0 + 500 }));
    await stores.queue.record([resultOf(leased as LeasedDelivery, 'failed')], keep);
    for (const only of ['all', 'failed', 'undelivered'] as const) expect((await replayed({ only })).scheduled).toBe(0);
  });

  test('replay makes what was held or never had due, batch by batch, and skips the rest', async () => {
    const inside = [1, 2, 998, 999].map((after) => eventFor('tnt_one', 'FC1', { occurredAt: T0 + after }));
    const [held, none, lastHeld, sent] = inside as [TenantEvent, TenantEvent, TenantEvent, TenantEvent];
    await accept(held, () => planned({ status: 'held', nextAttemptAt: null }));
    await accept(none, () => null);
    await accept(lastHeld, () => planned({ status: 'held', nextAttemptAt: null }));
    const { leased } = await acceptOne(sent, planned({ leaseUntil: T0 + 500 }));
    await stores.queue.record([resultOf(leased as LeasedDelivery, 'succeeded')], keep);
    await accept(eventFor('tnt_one', 'FC1', { occurredAt: T0 - 1 }), () => null);
    await accept(eventFor('tnt_one', 'FC1', { occurredAt: T0 + 1000 }), () => null);
    await accept(eventFor('tnt_one', 'FC1', { type: 'tracking.changed' }), () => null);
    await accept(eventFor('tnt_two', 'FC1'), () => null);
    let scheduled = 0;
    let batches = 0;
    let after: string | null = null;
    do {
      batches += 1;
      expect(batches).toBeLessThanOrEqual(10);
      const batch: Awaited<ReturnType<typeof replayed>> = await replayed({ after, limit: 2 });
      scheduled += batch.scheduled;
      after = batch.next;
    } while (after !== null);
    expect(scheduled).toBe(3);
    expect((await leaseAll(T0 + 5, T0 + 9000)).map(({ delivery }) => delivery.eventId).sort()).toEqual(
      [held.eventId, none.eventId, lastHeld.eventId].sort(),
    );
    // Not a cursor of this store.
    await expect(replayed({ after: 'x' })).rejects.toMatchObject({ code: '42201' });
    const again = (only: 'all' | 'undelivered') => stores.redelivery.replay(endpoint, { ...range, only }, T0 + 6, () => newId('dlv'));
    expect((await again('undelivered')).scheduled).toBe(0);
    expect((await again('all')).scheduled).toBe(1);
  });
});
