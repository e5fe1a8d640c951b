import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { disable } from '../endpoints/domain/disabling.ts';
import { change, type Endpoint } from '../endpoints/domain/endpoint.ts';
import { deliveries, keyOfDelivery } from '../intake/deliveries-collection.ts';
import type { DeliveryStatus, LeasedDelivery } from '../intake/domain/delivery.ts';
import { events } from '../intake/event-collections.ts';
import type { AcceptedDelivery } from '../intake/event-writer.ts';
import { GrowingPace } from '../intake/growing-pace.ts';
import { UnstoredDeliveries } from '../intake/unstored-deliveries.ts';
import { holdDisabled } from '../retention/maintenance.ts';
import type { WebhookStores } from '../stores.ts';
import { throughStore } from '../testing/faulty-store.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { endpointFor, eventFor, keep, planned, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { createDeliveryQueue } from './delivery-queue.ts';
import { createRedeliverer } from './redeliver.ts';

const under = useStores();

describe('queue', () => {
  const { accept, acceptOne, leaseAll, find } = under;
  let stores: WebhookStores;
  let endpoint: Endpoint;
  beforeEach(() => {
    ({ stores, endpoint } = under);
  });

  test('leases what is due, once, with endpoint and body', async () => {
    const { delivery } = await acceptOne();
    expect(delivery).toMatchObject({ test: false, nextReason: 'first' });
    expect(await find(delivery.deliveryId)).toEqual(delivery);
    expect(await leaseAll(T0 - 1, T0)).toEqual([]);
    const origin = { occurredAt: T0, traceparent: null };
    expect(await leaseAll(T0, T0 + 1000)).toEqual([{ endpoint, delivery, body: '{"seq":1}', origin, leaseUntil: T0 + 1000, version: 2 }]);
    expect(await leaseAll(T0 + 999, T0 + 5000)).toEqual([]);
    expect(await leaseAll(T0 + 1000, T0 + 5000)).toHaveLength(1);
  });

  test('a claim whose response was lost comes with the next one, and ends when it was to end', async () => {
    const { delivery } = await acceptOne();
    await under.documents.claimDue(deliveries.by.due, { group: endpoint.endpointId, now: T0, until: T0 + 1000, limit: 1 });
    const lost = await under.documents.read(deliveries, [keyOfDelivery(delivery)]);
    const store = throughStore(under.documents, (name, work) => (name === 'claimDue' ? Promise.resolve(lost) : work()));
    const queue = createDeliveryQueue(store, new UnstoredDeliveries(store), new GrowingPace(0));
    const leased = await queue.lease([{ endpointId: endpoint.endpointId, count: 1 }], T0 + 500, T0 + 5000);
    expect(leased.map(({ leaseUntil }) => leaseUntil)).toEqual([T0 + 1000]);
  });

  test('what was claimed beside a claim that failed, or before its events could be read, comes with the next call', async () => {
    await stores.endpoints.insert(endpointFor('tnt_one', { endpointId: 'ep_out' }), 10);
    await accept(eventFor('tnt_one', 'FC1'));
    const out = new Set<unknown>(['claimDue']);
    const store = throughStore(under.documents, (name, work, given) => {
      const isOut = out.has(name) && (name === 'read' ? given[0] === events : JSON.stringify(given[1]).includes('ep_out'));
      return isOut ? Promise.reject(AppError.unavailable('The store is out')) : work();
    });
    const queue = createDeliveryQueue(store, new UnstoredDeliveries(store), new GrowingPace(0));
    const lease = (now: number) => {
      const wanted = ['ep_out', endpoint.endpointId].map((endpointId) => ({ endpointId, count: 1 }));
      return queue.lease(wanted, now, now + 60_000);
    };
    await expect(lease(T0)).rejects.toMatchObject({ code: '50301' });
    out.clear();
    out.add('read');
    await expect(lease(T0 + 500)).rejects.toMatchObject({ code: '50301' });
    out.clear();
    const leased = await lease(T0 + 1000);
    const ends = new Map(leased.map(({ delivery, leaseUntil }) => [delivery.endpointId, leaseUntil]));
    expect(Object.fromEntries(ends)).toEqual({ [endpoint.endpointId]: T0 + 60_000, ep_out: T0 + 60_500 });
    expect(leased).toHaveLength(2);
  });

  test('what is due at the same time comes in the order in which its events were stored', async () => {
    const ids = ['evt_b', 'evt_a', 'evt_c'];
    for (const eventId of ids) await accept(eventFor('tnt_one', 'FC1', { eventId }));
    expect((await leaseAll(T0, T0 + 1000)).map(({ delivery }) => delivery.eventId)).toEqual(ids);
  });

  test('a backlog is what is due and not leased', async () => {
    const backlog = (now: number, most = 100) => stores.queue.backlog(now, most, 1);
    expect(await backlog(T0)).toEqual({ count: 0, oldestDueAt: T0 });
    for (const nextAttemptAt of [T0 + 20, T0 + 10, T0 + 90]) {
      await acceptOne(eventFor('tnt_one', `FC${nextAttemptAt}`), planned({ nextAttemptAt }));
    }
    expect(await backlog(T0 + 9)).toEqual({ count: 0, oldestDueAt: T0 + 9 });
    expect(await backlog(T0 + 50)).toEqual({ count: 2, oldestDueAt: T0 + 10 });
    expect(await backlog(T0 + 90, 2)).toMatchObject({ count: 2 });
    expect(await leaseAll(T0 + 50, T0 + 5000, 1)).toHaveLength(1);
    expect(await backlog(T0 + 50)).toEqual({ count: 1, oldestDueAt: T0 + 20 });
    await stores.endpoints.insert(endpointFor('tnt_one', { endpointId: 'ep_a' }), 10);
    await stores.endpoints.insert(endpointFor('tnt_one', { endpointId: 'ep_b', status: 'paused' }), 10);
    await accept(eventFor('tnt_one', 'FC2'), ({ endpointId }) => (endpointId === endpoint.endpointId ? null : planned()));
    expect(await backlog(T0 + 50)).toEqual({ count: 2, oldestDueAt: T0 });
  });

  test.each([
    ['succeeded', { status: 'succeeded', step: 1, nextAttemptAt: null }],
    ['failed', { status: 'pending', step: 0, nextAttemptAt: T0 }],
    ['pending', { status: 'pending', step: 0, nextAttemptAt: T0 }],
    ['held', { status: 'pending', step: 0, nextAttemptAt: T0 }],
  ] as const)('of a result of %s under a lease that was lost, the log has it, and only a success settles', async (status, is) => {
    const { deliveryId } = (await acceptOne()).delivery;
    const [lost] = (await leaseAll(T0, T0 + 10)) as [LeasedDelivery];
    const [current] = (await leaseAll(T0 + 10, T0 + 1000)) as [LeasedDelivery];
    await stores.queue.release([lost]);
    await stores.queue.record([{ ...resultOf(lost, status, status === 'pending' ? T0 + 500 : null), gone: status === 'held' }], keep);
    expect(await find(deliveryId)).toMatchObject({ ...is, attemptCount: 1 });
    expect(await leaseAll(T0 + 999, T0 + 5000)).toEqual([]);
    await stores.queue.record([resultOf(current, 'failed')], keep);
    const settled = status === 'succeeded' ? is : { status: 'failed', step: 1, nextAttemptAt: null };
    expect(await find(deliveryId)).toMatchObject({ ...settled, attemptCount: 2 });
  });

  test('a lease that is given back is free at once, or at the time that is asked for; a resend meanwhile counts', async () => {
    const { deliveryId } = (await acceptOne()).delivery;
    const [first] = (await leaseAll(T0, T0 + 1000)) as [LeasedDelivery];
    await stores.queue.release([first]);
    const [second] = (await leaseAll(T0 + 1, T0 + 1000)) as [LeasedDelivery];
    await stores.queue.release([second], T0 + 50);
    expect(await leaseAll(T0 + 49, T0 + 1000)).toEqual([]);
    const [third] = (await leaseAll(T0 + 50, T0 + 1000)) as [LeasedDelivery];
    await stores.queue.record([resultOf(third, 'pending', T0 + 90)], keep);
    const [fourth] = (await leaseAll(T0 + 90, T0 + 1000)) as [LeasedDelivery];
    await stores.queue.record([resultOf(fourth, 'failed')], keep);
    await createRedeliverer({
      store: under.documents,
      endpoints: stores.endpoints,
      runner: { wake: () => undefined },
      clock: { now: () => T0 + 200 },
      retentionMs: T0,
    }).resend('tnt_one', endpoint.endpointId, deliveryId);
    // A result that comes late from before the resend.
    await stores.queue.record([resultOf(third, 'failed')], keep);
    expect(await find(deliveryId)).toMatchObject({ status: 'pending', step: 0, nextAttemptAt: T0 + 200, attemptCount: 3 });
    expect(await leaseAll(T0 + 200, T0 + 1000)).toHaveLength(1);
  });

  test('keeps each attempt: where it went, what the receiver asked for, and what decided the next one', async () => {
    const { delivery } = await acceptOne();
    const [first] = (await leaseAll(T0, T0 + 1000)) as [LeasedDelivery];
    const later = resultOf(first, 'pending', T0 + 50);
    const attempt = { ...later.attempt, url: 'https://elsewhere.example/', retryAfter: '120', error: 'x', errorCode: 'tls' } as const;
    await stores.queue.record([{ ...later, attempt, nextReason: 'retry_after' }], keep);
    const waits = { status: 'pending', attemptCount: 1, step: 1, nextAttemptAt: T0 + 50, nextReason: 'retry_after', lastStatusCode: 500 };
    expect(await find(delivery.deliveryId)).toMatchObject(waits);
    const [second] = (await leaseAll(T0 + 50, T0 + 1000)) as [LeasedDelivery];
    expect(second.delivery.nextReason).toBe('retry_after');
    await stores.queue.release([second]);
    expect(await find(delivery.deliveryId)).toMatchObject(waits);
    const [third] = (await leaseAll(T0 + 50, T0 + 2000)) as [LeasedDelivery];
    const success = resultOf(third, 'succeeded');
    await stores.queue.record([success], keep);
    const settled = { status: 'succeeded', attemptCount: 2, nextAttemptAt: null, nextReason: null, lastStatusCode: 200 };
    expect(await find(delivery.deliveryId)).toMatchObject(settled);
    const logged = await stores.log.attempts('tnt_one', endpoint.endpointId, delivery.deliveryId, 10);
    expect(logged).toEqual([
      { ...attempt, attemptNumber: 1 },
      { ...success.attempt, attemptNumber: 2 },
    ]);
    expect(await stores.log.attempts('tnt_one', endpoint.endpointId, delivery.deliveryId, 1)).toEqual(logged.slice(1));
    expect(await stores.log.attempts('tnt_two', endpoint.endpointId, delivery.deliveryId, 10)).toEqual([]);
  });

  describe('what waits at an endpoint', () => {
    const update = (given: Partial<Endpoint>) => stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => ({ ...one, ...given }));
    const setStatus = (status: Endpoint['status']) =>
      stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => change(one, { status }, T0));
    const named = async (now: number) => (await stores.queue.dueEndpoints({ after: '', now, limit: 10 })).endpointIds;

    test('is not held any more once a disabled endpoint has become a paused one', async () => {
      const { delivery } = await acceptOne();
      await setStatus('disabled');
      await setStatus('paused');
      while (await holdDisabled(under.documents, 10)) {}
      expect(await find(delivery.deliveryId)).toEqual(delivery);
    });

    test('is not looked for while it is slowed down', async () => {
      await acceptOne();
      await update({ slowedUntil: T0 + 100 });
      expect([await named(T0 + 99), await named(T0 + 100)]).toEqual([[], [endpoint.endpointId]]);
    });
  });

  describe('a receiver that responds with 410', () => {
    const goneIf = (one: Endpoint, url: string): Endpoint => (one.url === url ? disable(one, 'gone', T0) : one);
    /** Sends, and has the response recorded after `meanwhile`. */
    async function responded(meanwhile: () => Promise<unknown>): Promise<string> {
      const { delivery } = await acceptOne();
      const [leased] = (await leaseAll(T0, T0 + 1000)) as [LeasedDelivery];
      await meanwhile();
      await stores.queue.record([{ ...resultOf(leased, 'held'), gone: true }], (one) => goneIf(one, leased.endpoint.url));
      return delivery.deliveryId;
    }
    const move = () => stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => ({ ...one, url: 'https://new.example/' }));

    test('has the delivery held with the others of its endpoint', async () => {
      const id = await responded(async () => undefined);
      while (await holdDisabled(under.documents, 10)) {}
      expect(await find(id)).toMatchObject({ status: 'held', attemptCount: 1, nextAttemptAt: null });
      expect(await leaseAll(T0 + 9000, T0 + 9999)).toEqual([]);
    });

    test('and that the endpoint has left holds nothing: the delivery is due, for the receiver that it has now', async () => {
      const id = await responded(move);
      expect(await stores.endpoints.get('tnt_one', endpoint.endpointId)).toMatchObject({ status: 'enabled' });
      expect(await find(id)).toMatchObject({ status: 'pending', attemptCount: 1, nextAttemptAt: T0 });
      const again = await leaseAll(T0 + 1, T0 + 2000);
      expect(again.map(({ delivery, endpoint: { url } }) => [delivery.deliveryId, url])).toEqual([[id, 'https://new.example/']]);
    });

    test('and that a disabled endpoint has left frees nothing', async () => {
      const id = await responded(async () => {
        await move();
        await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => change(one, { status: 'disabled' }, T0));
      });
      while (await holdDisabled(under.documents, 10)) {}
      expect(await leaseAll(T0 + 9000, T0 + 9999)).toEqual([]);
      expect(await find(id)).toMatchObject({ status: 'held', attemptCount: 1, nextAttemptAt: null });
    });
  });

  describe('the log', () => {
    test('lists deliveries by their status, newest first, those that are being sent as pending', async () => {
      const leaseUntil = T0 + 60_000;
      const [succeeded, failed] = [
        await acceptOne(undefined, planned({ leaseUntil })),
        await acceptOne(undefined, planned({ leaseUntil })),
      ];
      const waiting = await acceptOne();
      const sending = await acceptOne(undefined, planned({ leaseUntil }));
      const results = [resultOf(succeeded.leased as LeasedDelivery, 'succeeded'), resultOf(failed.leased as LeasedDelivery, 'failed')];
      await stores.queue.record(results, keep);
      const list = async (status?: DeliveryStatus): Promise<string[]> => {
        const { deliveries } = await stores.log.list('tnt_one', under.endpoint.endpointId, { status, limit: 10, before: null });
        return deliveries.map(({ deliveryId }) => deliveryId);
      };
      const idsOf = (...of: readonly AcceptedDelivery[]): string[] => of.map(({ delivery }) => delivery.deliveryId);
      expect(await list()).toEqual(idsOf(sending, waiting, failed, succeeded));
      expect(await list('pending')).toEqual(idsOf(sending, waiting));
      expect(await list('failed')).toEqual(idsOf(failed));
      expect(await list('succeeded')).toEqual(idsOf(succeeded));
      expect(await list('held')).toEqual([]);
    });
  });
});
