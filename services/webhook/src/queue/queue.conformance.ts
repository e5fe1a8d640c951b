import { beforeEach, describe, expect, test } from '@jest/globals';
import { disable } from '../endpoints/domain/disabling.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { WebhookStores } from '../ports.ts';
import type { StoresUnderTest } from '../testing/stores-under-test.ts';
import { endpointFor, eventFor, keep, planned, resultOf, T0 } from '../testing/webhook-fixtures.ts';

export function describeQueue(under: StoresUnderTest): void {
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
      expect(await leaseAll(T0, T0 + 1000)).toEqual([{ endpoint, delivery, body: '{"seq":1}', origin, leaseUntil: T0 + 1000 }]);
      expect(await leaseAll(T0 + 999, T0 + 5000)).toEqual([]);
      expect(await leaseAll(T0 + 1000, T0 + 5000)).toHaveLength(1);
    });

    test('a backlog is what is due and not leased', async () => {
      const backlog = (now: number, limit = 100) => stores.queue.backlogOf([endpoint.endpointId, 'we_none'], now, limit);
      expect(await backlog(T0)).toEqual({ count: 0, oldestDueAt: null });
      for (const nextAttemptAt of [T0 + 20, T0 + 10, T0 + 90]) {
        await acceptOne(eventFor('tnt_one', `FC${nextAttemptAt}`), planned({ nextAttemptAt }));
      }
      expect(await backlog(T0 + 9)).toEqual({ count: 0, oldestDueAt: null });
      expect(await backlog(T0 + 50)).toEqual({ count: 2, oldestDueAt: T0 + 10 });
      expect(await backlog(T0 + 90, 2)).toMatchObject({ count: 2 });
      expect(await leaseAll(T0 + 50, T0 + 5000, 1)).toHaveLength(1);
      expect(await backlog(T0 + 50)).toEqual({ count: 1, oldestDueAt: T0 + 20 });
    });

    test('knows where its event comes from, born with a lease or leased later', async () => {
      const origin = { occurredAt: T0 - 5, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
      const born = await acceptOne(eventFor('tnt_one', 'FC1', origin), planned({ leaseUntil: T0 + 1000 }));
      expect(born.leased?.origin).toEqual(origin);
      const [leased] = await leaseAll(T0 + 1000, T0 + 5000);
      expect(leased?.origin).toEqual(origin);
    });

    test('names every endpoint with something due, page by page', async () => {
      const others = Array.from({ length: 4 }, () => endpointFor('tnt_one'));
      for (const other of others) await stores.endpoints.insert(other, 10);
      for (let count = 0; count < 20; count += 1) await accept(eventFor('tnt_one', 'FC1'));
      const found: string[] = [];
      let after = '';
      for (let pages = 1; ; pages += 1) {
        expect(pages).toBeLessThanOrEqual(10);
        const page = await stores.queue.dueEndpoints({ after, now: T0, limit: 2 });
        found.push(...page.endpointIds);
        expect(found.length).toBeLessThanOrEqual(5);
        if (page.next === null) break;
        after = page.next;
      }
      expect(found).toEqual([endpoint, ...others].map(({ endpointId }) => endpointId).sort());
      expect((await stores.queue.dueEndpoints({ after: '', now: T0 - 1, limit: 10 })).endpointIds).toEqual([]);
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

    test('distinguishes test deliveries from others', async () => {
      const { delivery } = await acceptOne(eventFor('tnt_one', 'FC1', { parcel: null, test: true, about: endpoint.endpointId }));
      expect(delivery).toMatchObject({ test: true, eventType: 'parcel.weighed' });
      expect(await find(delivery.deliveryId)).toEqual(delivery);
      expect((await leaseAll(T0, T0 + 1000)).map((one) => one.delivery)).toEqual([delivery]);
    });

    test('writes the health of an endpoint and returns which became disabled; nothing of a disabled one is leased', async () => {
      await acceptOne();
      await acceptOne();
      const [first] = await leaseAll(T0, T0 + 1000, 1);
      const disabled = await stores.queue.record([resultOf(first as LeasedDelivery, 'pending', T0)], (one) => disable(one, 'gone', T0));
      expect(disabled.map(({ endpointId, disabledReason }) => [endpointId, disabledReason])).toEqual([[endpoint.endpointId, 'gone']]);
      expect(await stores.endpoints.get('tnt_one', endpoint.endpointId)).toMatchObject({ status: 'disabled' });
      expect(await leaseAll(T0 + 5000, T0 + 9000)).toEqual([]);
    });
  });
}
