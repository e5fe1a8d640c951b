import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@parcelway/kernel/ids';
import type { LeasedDelivery } from '../domain/delivery.ts';
import { change, disable, type Endpoint, told } from '../domain/endpoint.ts';
import type { TenantEvent } from '../domain/tenant-event.ts';
import type { AcceptedDelivery, PlannedDelivery, ReplayPosition, WebhookStores } from '../ports.ts';
import { endpointFor, eventFor, keep, planned, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { describeFeed } from './webhook-feed.conformance.ts';

/** Stores under test. */
export interface OpenedStores {
  readonly stores: WebhookStores;
  close(): Promise<void>;
}

/** What every driver of the stores must do. */
export function describeWebhookStores(name: string, openStores: () => Promise<OpenedStores>): void {
  describe(`webhook stores: ${name}`, () => {
    let opened: OpenedStores;
    let stores: WebhookStores;
    let endpoint: Endpoint;
    beforeEach(async () => {
      opened = await openStores();
      stores = opened.stores;
      endpoint = endpointFor('tnt_one');
      await stores.endpoints.insert(endpoint, 10);
    });
    afterEach(() => opened.close());

    const accept = (
      event: TenantEvent,
      plan: (endpoint: Endpoint) => PlannedDelivery | null = () => planned(),
    ): Promise<readonly AcceptedDelivery[]> => stores.intake.accept(event, T0, plan);
    const acceptOne = async (event = eventFor('tnt_one', 'FC1'), plan = planned()): Promise<AcceptedDelivery> =>
      (await accept(event, () => plan))[0] as AcceptedDelivery;
    const leaseAll = (now: number, leaseUntil: number, count = 100): Promise<readonly LeasedDelivery[]> =>
      stores.queue.lease([{ endpointId: endpoint.endpointId, count }], now, leaseUntil);
    const find = (deliveryId: string) => stores.log.get('tnt_one', endpoint.endpointId, deliveryId);

    describe('endpoints', () => {
      test('come back as they were written, to their tenant alone', async () => {
        expect(await stores.endpoints.get('tnt_one', endpoint.endpointId)).toEqual(endpoint);
        expect(await stores.endpoints.list('tnt_one')).toEqual([endpoint]);
        expect(await stores.endpoints.get('tnt_two', endpoint.endpointId)).toBeUndefined();
        expect(await stores.endpoints.list('tnt_two')).toEqual([]);
        expect(await stores.endpoints.update('tnt_two', endpoint.endpointId, keep)).toBeUndefined();
        expect(await stores.endpoints.remove('tnt_two', endpoint.endpointId)).toBe(false);
      });

      test('keep everything that a tenant or the platform sets', async () => {
        const full = endpointFor('tnt_one', {
          filter: { admin_status: ['Available for Pickup', 'Customs Clearance'], is_terminal: true, status: 3 },
          headers: { 'X-Api.Key$': 'a "b" ü' },
          metadata: { 'a.b': 'c', $d: '' },
          rateLimit: 20,
          status: 'paused',
          disabledReason: 'pause_expired',
          pausedAt: T0 + 1,
          disablingToTell: T0 + 2,
          circuit: { openUntil: T0 + 3, cooldownMs: 4000 },
          formerSecret: 'whsec_b',
          formerSecretUntil: T0 + 5,
          failingSince: T0 + 6,
        });
        await stores.endpoints.insert(full, 10);
        expect(await stores.endpoints.get('tnt_one', full.endpointId)).toEqual(full);
        const plain = { ...endpoint, endpointId: full.endpointId };
        await stores.endpoints.update('tnt_one', full.endpointId, () => plain);
        expect(await stores.endpoints.get('tnt_one', full.endpointId)).toEqual(plain);
      });

      test('are never more than allowed, however many come at once', async () => {
        const tries = Array.from({ length: 8 }, () => stores.endpoints.insert(endpointFor('tnt_two'), 3));
        expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(3);
        expect(await stores.endpoints.list('tnt_two')).toHaveLength(3);
      });

      test('changes at once do not undo each other', async () => {
        const append = (text: string) => (one: Endpoint) => ({ ...one, description: `${one.description}${text}` });
        await Promise.all(['a', 'b', 'c', 'd'].map((text) => stores.endpoints.update('tnt_one', endpoint.endpointId, append(text))));
        const { description } = (await stores.endpoints.get('tnt_one', endpoint.endpointId)) as Endpoint;
        expect([...description].sort().join('')).toBe('abcdü');
      });
    });

    describe('intake', () => {
      test('counts the events of a parcel without a gap, whatever comes twice or at once', async () => {
        const events = Array.from({ length: 6 }, () => eventFor('tnt_one', 'FC1'));
        const made = await Promise.all([...events, ...events].map((event) => accept(event, () => planned({ leaseUntil: T0 + 1 }))));
        const bodies = made.flat().map(({ leased }) => (JSON.parse(leased?.body ?? '{}') as { seq: number }).seq);
        expect(bodies.sort()).toEqual([1, 2, 3, 4, 5, 6]);
      });

      test('what the plan throws undoes everything, the number included', async () => {
        const event = eventFor('tnt_one', 'FC1');
        const refuse = (): never => {
          throw new Error('refused');
        };
        await expect(accept(event, refuse)).rejects.toThrow('refused');
        const { leased } = await acceptOne(event, planned({ leaseUntil: T0 + 1 }));
        expect(leased?.body).toBe('{"seq":1}');
      });
    });

    describe('what waits at an endpoint', () => {
      const update = (given: Partial<Endpoint>) => stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => ({ ...one, ...given }));
      const setStatus = (status: Endpoint['status']) =>
        stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => change(one, { status }, T0));
      const named = async (now: number) => (await stores.queue.dueEndpoints({ after: '', now, limit: 10 })).endpointIds;

      test('during a pause keeps its time, and is leased once the endpoint is enabled', async () => {
        const { delivery } = await acceptOne();
        await setStatus('paused');
        expect(await leaseAll(T0 + 5, T0 + 1000)).toEqual([]);
        expect(await stores.upkeep.holdDisabled(10)).toBe(false);
        expect(await find(delivery.deliveryId)).toEqual(delivery);
        await setStatus('enabled');
        expect((await leaseAll(T0 + 5, T0 + 1000)).map((one) => one.delivery)).toEqual([delivery]);
      });

      test('during a pause is held when the pause becomes a disabling', async () => {
        const { delivery } = await acceptOne();
        await setStatus('paused');
        await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => disable(one, 'pause_expired', T0));
        while (await stores.upkeep.holdDisabled(10)) {}
        expect(await find(delivery.deliveryId)).toMatchObject({ status: 'held', nextAttemptAt: null, nextReason: null });
      });

      test('is not held any more once a disabled endpoint has become a paused one', async () => {
        const { delivery } = await acceptOne();
        await setStatus('disabled');
        await setStatus('paused');
        while (await stores.upkeep.holdDisabled(10)) {}
        expect(await find(delivery.deliveryId)).toEqual(delivery);
      });

      test('is left alone while the circuit is open, and leased one by one to probe it after that', async () => {
        for (let count = 0; count < 3; count += 1) await acceptOne();
        await update({ circuit: { openUntil: T0 + 100, cooldownMs: 100 } });
        expect(await named(T0 + 99)).toEqual([]);
        expect(await leaseAll(T0 + 99, T0 + 1000)).toEqual([]);
        expect(await named(T0 + 100)).toEqual([endpoint.endpointId]);
        expect(await leaseAll(T0 + 100, T0 + 1000)).toHaveLength(1);
        await update({ circuit: null });
        expect(await leaseAll(T0 + 100, T0 + 1000)).toHaveLength(2);
      });

      test('is not named as due while the endpoint is paused', async () => {
        await acceptOne();
        expect(await named(T0)).toEqual([endpoint.endpointId]);
        await setStatus('paused');
        expect(await named(T0)).toEqual([]);
      });

      test('tells of an endpoint that results disable during a pause', async () => {
        await acceptOne();
        const [leased] = await leaseAll(T0, T0 + 1000);
        await setStatus('paused');
        const disabled = await stores.queue.record([resultOf(leased as LeasedDelivery, 'pending', T0 + 5)], (one) =>
          disable(one, 'gone', T0),
        );
        expect(disabled.map(({ endpointId }) => endpointId)).toEqual([endpoint.endpointId]);
        expect(
          await stores.queue.record([resultOf(leased as LeasedDelivery, 'pending', T0 + 5)], (one) => ({ ...one, failingSince: T0 })),
        ).toEqual([]);
      });
    });

    describe('queue', () => {
      test('leases what is due, once, with endpoint and body', async () => {
        const { delivery } = await acceptOne();
        expect(delivery).toMatchObject({ test: false, nextReason: 'first' });
        expect(await find(delivery.deliveryId)).toEqual(delivery);
        expect(await leaseAll(T0 - 1, T0)).toEqual([]);
        expect(await leaseAll(T0, T0 + 1000)).toEqual([{ endpoint, delivery, body: '{"seq":1}', leaseUntil: T0 + 1000 }]);
        expect(await leaseAll(T0 + 999, T0 + 5000)).toEqual([]);
        expect(await leaseAll(T0 + 1000, T0 + 5000)).toHaveLength(1);
      });

      test('a delivery born with a lease is due when that runs out', async () => {
        await acceptOne(eventFor('tnt_one', 'FC1'), planned({ leaseUntil: T0 + 1000 }));
        expect(await leaseAll(T0 + 999, T0 + 5000)).toEqual([]);
        expect(await leaseAll(T0 + 1000, T0 + 5000)).toHaveLength(1);
      });

      test('a lease given back is due at once; one that was lost gives nothing back', async () => {
        await acceptOne();
        const first = await leaseAll(T0, T0 + 1000);
        const second = await leaseAll(T0 + 1000, T0 + 9000);
        await stores.queue.release(first);
        expect(await leaseAll(T0 + 1000, T0 + 9000)).toEqual([]);
        await stores.queue.release(second);
        expect(await leaseAll(T0 + 1000, T0 + 9000)).toHaveLength(1);
      });

      test('names every endpoint with something due, page by page', async () => {
        const others = Array.from({ length: 4 }, () => endpointFor('tnt_one'));
        for (const other of others) await stores.endpoints.insert(other, 10);
        for (let count = 0; count < 20; count += 1) await accept(eventFor('tnt_one', 'FC1'));
        const found: string[] = [];
        let after = '';
        for (;;) {
          const page = await stores.queue.dueEndpoints({ after, now: T0, limit: 2 });
          found.push(...page.endpointIds);
          if (page.next === null) break;
          after = page.next;
        }
        expect(found).toEqual([endpoint, ...others].map(({ endpointId }) => endpointId).sort());
        expect((await stores.queue.dueEndpoints({ after: '', now: T0 - 1, limit: 10 })).endpointIds).toEqual([]);
      });

      test('records attempts in order and the state after each', async () => {
        const { delivery } = await acceptOne();
        const [first] = await leaseAll(T0, T0 + 1000);
        await stores.queue.record([resultOf(first as LeasedDelivery, 'pending', T0 + 50)], keep);
        expect(await find(delivery.deliveryId)).toMatchObject({
          status: 'pending',
          attemptCount: 1,
          step: 1,
          nextAttemptAt: T0 + 50,
          lastStatusCode: 500,
        });
        const [second] = await leaseAll(T0 + 50, T0 + 2000);
        await stores.queue.record([resultOf(second as LeasedDelivery, 'succeeded')], keep);
        expect(await find(delivery.deliveryId)).toMatchObject({
          status: 'succeeded',
          attemptCount: 2,
          nextAttemptAt: null,
          lastStatusCode: 200,
        });
        const attempts = await stores.log.attempts('tnt_one', endpoint.endpointId, delivery.deliveryId, 10);
        expect(attempts.map(({ attemptNumber, outcome }) => [attemptNumber, outcome])).toEqual([
          [1, 'failed'],
          [2, 'succeeded'],
        ]);
        expect(await stores.log.attempts('tnt_two', endpoint.endpointId, delivery.deliveryId, 10)).toEqual([]);
      });

      test('keeps where an attempt went, what the receiver asked for, and what decided the next one', async () => {
        const { delivery } = await acceptOne();
        const [first] = (await leaseAll(T0, T0 + 1000)) as [LeasedDelivery];
        const later = resultOf(first, 'pending', T0 + 50);
        const attempt = { ...later.attempt, url: 'https://elsewhere.example/', retryAfter: '120', error: 'x' };
        await stores.queue.record([{ ...later, attempt, nextReason: 'retry_after' }], keep);
        expect(await find(delivery.deliveryId)).toMatchObject({ nextReason: 'retry_after' });
        const logged = await stores.log.attempts('tnt_one', endpoint.endpointId, delivery.deliveryId, 10);
        expect(logged).toEqual([{ ...attempt, attemptNumber: 1 }]);
        const [second] = (await leaseAll(T0 + 50, T0 + 1000)) as [LeasedDelivery];
        expect(second.delivery.nextReason).toBe('retry_after');
        await stores.queue.release([second]);
        expect(await find(delivery.deliveryId)).toMatchObject({ nextReason: 'retry_after' });
        const [third] = (await leaseAll(T0 + 50, T0 + 2000)) as [LeasedDelivery];
        await stores.queue.record([resultOf(third, 'failed')], keep);
        expect(await find(delivery.deliveryId)).toMatchObject({ status: 'failed', nextReason: null });
      });

      test('tells test deliveries from others', async () => {
        const { delivery } = await acceptOne(eventFor('tnt_one', 'FC1', { forecastNo: null, test: true, about: endpoint.endpointId }));
        expect(delivery).toMatchObject({ test: true, eventType: 'parcel.weighed' });
        expect(await find(delivery.deliveryId)).toEqual(delivery);
        expect((await leaseAll(T0, T0 + 1000)).map((one) => one.delivery)).toEqual([delivery]);
      });

      test('a late failure of a lost lease is logged and changes nothing; a late success counts', async () => {
        const { delivery } = await acceptOne();
        const [lost] = await leaseAll(T0, T0 + 1000);
        await leaseAll(T0 + 1000, T0 + 5000);
        await stores.queue.record([resultOf(lost as LeasedDelivery, 'failed')], keep);
        expect(await find(delivery.deliveryId)).toMatchObject({ status: 'pending', attemptCount: 1, step: 0, nextAttemptAt: T0 });
        await stores.queue.record([resultOf(lost as LeasedDelivery, 'succeeded')], keep);
        expect(await find(delivery.deliveryId)).toMatchObject({ status: 'succeeded', attemptCount: 2 });
      });

      test('writes the health of an endpoint and tells which became disabled; nothing of a disabled one is leased', async () => {
        await acceptOne();
        await acceptOne();
        const [first] = await leaseAll(T0, T0 + 1000, 1);
        const disabled = await stores.queue.record([resultOf(first as LeasedDelivery, 'pending', T0)], (one) => disable(one, 'gone', T0));
        expect(disabled.map(({ endpointId, disabledReason }) => [endpointId, disabledReason])).toEqual([[endpoint.endpointId, 'gone']]);
        expect(await stores.endpoints.get('tnt_one', endpoint.endpointId)).toMatchObject({ status: 'disabled' });
        expect(await leaseAll(T0 + 5000, T0 + 9000)).toEqual([]);
      });
    });

    describe('log', () => {
      test('has the body of an event, for its tenant alone', async () => {
        const event = eventFor('tnt_one', 'FC1', { render: () => '{"seq":"ü"}' });
        await accept(event);
        expect(await stores.log.body('tnt_one', event.eventId)).toBe('{"seq":"ü"}');
        expect(await stores.log.body('tnt_two', event.eventId)).toBeUndefined();
        expect(await stores.log.body('tnt_one', 'evt_none')).toBeUndefined();
      });
    });

    describe('a receiver that answers 410', () => {
      const goneIf = (one: Endpoint, url: string): Endpoint => (one.url === url ? disable(one, 'gone', T0) : one);
      /** Sends, and has the answer recorded after `meanwhile`. */
      async function answered(meanwhile: () => Promise<unknown>): Promise<string> {
        const { delivery } = await acceptOne();
        const [leased] = (await leaseAll(T0, T0 + 1000)) as [LeasedDelivery];
        await meanwhile();
        await stores.queue.record([{ ...resultOf(leased, 'held'), gone: true }], (one) => goneIf(one, leased.endpoint.url));
        return delivery.deliveryId;
      }
      const move = () => stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => ({ ...one, url: 'https://new.example/' }));

      test('has the delivery held with the others of its endpoint', async () => {
        const id = await answered(async () => undefined);
        while (await stores.upkeep.holdDisabled(10)) {}
        expect(await find(id)).toMatchObject({ status: 'held', attemptCount: 1, nextAttemptAt: null });
        expect(await leaseAll(T0 + 9000, T0 + 9999)).toEqual([]);
      });

      test('and that the endpoint has left holds nothing: the delivery is due, for the receiver that it has now', async () => {
        const id = await answered(move);
        expect(await stores.endpoints.get('tnt_one', endpoint.endpointId)).toMatchObject({ status: 'enabled' });
        expect(await find(id)).toMatchObject({ status: 'pending', attemptCount: 1, nextAttemptAt: T0 });
        const again = await leaseAll(T0 + 1, T0 + 2000);
        expect(again.map(({ delivery, endpoint: { url } }) => [delivery.deliveryId, url])).toEqual([[id, 'https://new.example/']]);
      });

      test('and that a disabled endpoint has left frees nothing', async () => {
        const id = await answered(async () => {
          await move();
          await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => change(one, { status: 'disabled' }, T0));
        });
        while (await stores.upkeep.holdDisabled(10)) {}
        expect(await leaseAll(T0 + 9000, T0 + 9999)).toEqual([]);
        expect(await find(id)).toMatchObject({ status: 'held', attemptCount: 1, nextAttemptAt: null });
      });
    });

    describe('redelivery', () => {
      const range = {
        types: ['parcel.weighed'],
        since: T0,
        until: T0 + 1000,
        only: 'undelivered',
        after: null,
        limit: 100,
        matches: () => true,
      } as const;

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
        expect(due.map(({ delivery: { eventId, nextReason, step } }) => [eventId, nextReason, step])).toEqual([
          [failed.eventId, 'first', 0],
        ]);
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
        const test = { forecastNo: null, test: true, about: endpoint.endpointId } as const;
        await accept(eventFor('tnt_one', '', test), () => null);
        const { leased } = await acceptOne(eventFor('tnt_one', '', test), planned({ leaseUntil: T0 + 500 }));
        await stores.queue.record([resultOf(leased as LeasedDelivery, 'failed')], keep);
        for (const only of ['all', 'failed', 'undelivered'] as const) expect((await replayed({ only })).scheduled).toBe(0);
      });

      test('replay makes what was held or never had due, batch by batch, and skips the rest', async () => {
        const inside = [eventFor('tnt_one', 'FC1'), eventFor('tnt_one', 'FC1'), eventFor('tnt_one', 'FC1', { occurredAt: T0 + 999 })];
        const [held, none, sent] = inside as [TenantEvent, TenantEvent, TenantEvent];
        await accept(held, () => planned({ status: 'held', nextAttemptAt: null }));
        await accept(none, () => null);
        const { leased } = await acceptOne(sent, planned({ leaseUntil: T0 + 500 }));
        await stores.queue.record([resultOf(leased as LeasedDelivery, 'succeeded')], keep);
        await accept(eventFor('tnt_one', 'FC1', { occurredAt: T0 - 1 }), () => null);
        await accept(eventFor('tnt_one', 'FC1', { occurredAt: T0 + 1000 }), () => null);
        await accept(eventFor('tnt_one', 'FC1', { type: 'tracking.changed' }), () => null);
        await accept(eventFor('tnt_two', 'FC1'), () => null);
        let scheduled = 0;
        let after: ReplayPosition | null = null;
        do {
          const batch: Awaited<ReturnType<WebhookStores['redelivery']['replay']>> = await stores.redelivery.replay(
            endpoint,
            { ...range, after, limit: 2 },
            T0 + 5,
            () => newId('dlv'),
          );
          scheduled += batch.scheduled;
          after = batch.next;
        } while (after !== null);
        expect(scheduled).toBe(2);
        expect((await leaseAll(T0 + 5, T0 + 9000)).map(({ delivery }) => delivery.eventId).sort()).toEqual(
          [held.eventId, none.eventId].sort(),
        );
        const again = (only: 'all' | 'undelivered') => stores.redelivery.replay(endpoint, { ...range, only }, T0 + 6, () => newId('dlv'));
        expect((await again('undelivered')).scheduled).toBe(0);
        expect((await again('all')).scheduled).toBe(1);
      });
    });

    describeFeed(() => stores);

    describe('upkeep', () => {
      async function all(batch: () => Promise<boolean>): Promise<number> {
        let batches = 1;
        while (await batch()) batches += 1;
        return batches;
      }
      const list = () => stores.log.list('tnt_one', endpoint.endpointId, { limit: 100, before: null });

      test('holds what is pending at disabled endpoints, in batches, and nothing else', async () => {
        const other = endpointFor('tnt_one');
        await stores.endpoints.insert(other, 10);
        for (let count = 0; count < 5; count += 1) await accept(eventFor('tnt_one', 'FC1'));
        await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => change(one, { status: 'disabled' }, T0));
        expect(await all(() => stores.upkeep.holdDisabled(2))).toBe(3);
        expect((await list()).deliveries.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual(
          Array(5).fill(['held', null]),
        );
        const page = await stores.log.list('tnt_one', other.endpointId, { status: 'pending', limit: 100, before: null });
        expect(page.deliveries).toHaveLength(5);
      });

      test('deletes what belonged to a deleted endpoint', async () => {
        const { delivery } = await acceptOne(eventFor('tnt_one', 'FC1'), planned({ leaseUntil: T0 + 1 }));
        for (let count = 0; count < 4; count += 1) await acceptOne();
        const [leased] = await leaseAll(T0 + 1, T0 + 2, 1);
        await stores.queue.record([resultOf(leased as LeasedDelivery, 'succeeded')], keep);
        expect(await stores.endpoints.remove('tnt_one', endpoint.endpointId)).toBe(true);
        expect(await stores.endpoints.remove('tnt_one', endpoint.endpointId)).toBe(false);
        expect(await stores.endpoints.list('tnt_one')).toEqual([]);
        expect(await leaseAll(T0 + 99, T0 + 100)).toEqual([]);
        await all(() => stores.upkeep.purgeDeleted(2));
        expect((await list()).deliveries).toEqual([]);
        expect(await stores.log.attempts('tnt_one', endpoint.endpointId, delivery.deliveryId, 10)).toEqual([]);
        // A result that comes after that is of no consequence.
        expect(await stores.queue.record([resultOf(leased as LeasedDelivery, 'succeeded')], keep)).toEqual([]);
      });

      test('expires what is settled with its attempts and events, and keeps what is pending or young', async () => {
        const accepted = async (at: number, plan: PlannedDelivery) => {
          const event = eventFor('tnt_one', 'FC1', { occurredAt: at });
          await stores.intake.accept(event, at, () => plan);
          return plan.deliveryId;
        };
        const pending = await accepted(T0, planned());
        const old = await accepted(T0, planned({ status: 'held', nextAttemptAt: null }));
        const young = await accepted(T0 + 1000, planned({ status: 'held', nextAttemptAt: null }));
        await all(() => stores.upkeep.expireDeliveries(T0 + 500, 2));
        await all(() => stores.upkeep.expireEvents(T0 + 500, 2));
        const left = (await list()).deliveries.map(({ deliveryId }) => deliveryId);
        expect(left).toEqual([young, pending]);
        expect(left).not.toContain(old);
        const replayed = await stores.redelivery.replay(
          endpoint,
          { types: ['parcel.weighed'], since: 0, until: T0 + 9000, only: 'all', after: null, limit: 100, matches: () => true },
          T0 - 1,
          () => newId('dlv'),
        );
        // The event of the expired delivery is gone with it; those of the other two are there.
        expect(replayed.scheduled).toBe(2);
      });

      test('events go only when they are old and have no delivery left', async () => {
        const bare = eventFor('tnt_one', 'FC1');
        const used = eventFor('tnt_one', 'FC1');
        await accept(bare, () => null);
        await accept(used, () => planned({ status: 'held', nextAttemptAt: null }));
        const bodies = () => Promise.all([bare, used].map(({ eventId }) => stores.log.body('tnt_one', eventId)));
        await all(() => stores.upkeep.expireEvents(T0, 10));
        expect(await bodies()).toEqual(['{"seq":1}', '{"seq":2}']);
        await all(() => stores.upkeep.expireEvents(T0 + 1, 10));
        expect(await bodies()).toEqual([undefined, '{"seq":2}']);
        await all(() => stores.upkeep.expireDeliveries(T0 + 1, 10));
        expect(await bodies()).toEqual([undefined, '{"seq":2}']);
        await all(() => stores.upkeep.expireEvents(T0 + 1, 10));
        expect(await bodies()).toEqual([undefined, undefined]);
      });

      test('finds the endpoints whose disabling is to be told, until it has been, or they are deleted', async () => {
        const others = [endpointFor('tnt_two'), endpointFor('tnt_two'), endpointFor('tnt_two')] as const;
        const [second, deleted, byTenant] = others;
        for (const other of others) await stores.endpoints.insert(other, 10);
        const disabled = await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => disable(one, 'gone', T0));
        await stores.endpoints.update('tnt_two', second.endpointId, (one) => disable(one, 'failing', T0 + 1));
        await stores.endpoints.update('tnt_two', deleted.endpointId, (one) => disable(one, 'failing', T0 + 2));
        await stores.endpoints.update('tnt_two', byTenant.endpointId, (one) => change(one, { status: 'disabled' }, T0));
        await stores.endpoints.remove('tnt_two', deleted.endpointId);
        expect((await stores.upkeep.untold(10)).map(({ endpointId }) => endpointId)).toEqual([endpoint.endpointId, second.endpointId]);
        expect(await stores.upkeep.untold(1)).toEqual([disabled]);
        await stores.endpoints.update('tnt_one', endpoint.endpointId, told);
        expect((await stores.upkeep.untold(10)).map(({ endpointId }) => endpointId)).toEqual([second.endpointId]);
      });

      test('finds the endpoints that have been paused for long', async () => {
        const others = [endpointFor('tnt_two'), endpointFor('tnt_two'), endpointFor('tnt_two')] as const;
        const [later, deleted, young] = others;
        for (const other of others) await stores.endpoints.insert(other, 10);
        const pause = (one: Endpoint, at: number) =>
          stores.endpoints.update(one.tenantId, one.endpointId, (read) => change(read, { status: 'paused' }, at));
        await pause(later, T0 + 2);
        await pause(deleted, T0 + 1);
        await pause(young, T0 + 10);
        const first = await pause(endpoint, T0);
        await stores.endpoints.remove('tnt_two', deleted.endpointId);
        expect((await stores.upkeep.pausedBefore(T0 + 10, 10)).map(({ endpointId }) => endpointId)).toEqual([
          endpoint.endpointId,
          later.endpointId,
        ]);
        expect(await stores.upkeep.pausedBefore(T0 + 10, 1)).toEqual([first]);
        expect(await stores.upkeep.pausedBefore(T0, 10)).toEqual([]);
        await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => change(one, { status: 'enabled' }, T0 + 20));
        expect((await stores.upkeep.pausedBefore(T0 + 10, 1)).map(({ endpointId }) => endpointId)).toEqual([later.endpointId]);
      });

      test('the number of a parcel outlives its events, until the parcel has long been silent', async () => {
        /** Takes in an event and lets it expire. @returns its number */
        const pass = async (forecastNo: string) => {
          const { leased } = await acceptOne(eventFor('tnt_one', forecastNo), planned({ leaseUntil: T0 + 1 }));
          await stores.queue.record([resultOf(leased as LeasedDelivery, 'succeeded')], keep);
          await all(() => stores.upkeep.expireDeliveries(T0 + 1, 1));
          await all(() => stores.upkeep.expireEvents(T0 + 1, 1));
          return (JSON.parse(leased?.body ?? '{}') as { seq: number }).seq;
        };
        expect([await pass('FC1'), await pass('FC1'), await pass('FC2')]).toEqual([1, 2, 1]);
        await all(() => stores.upkeep.expireSequences(T0, 1));
        expect([await pass('FC1'), await pass('FC2')]).toEqual([3, 2]);
        await all(() => stores.upkeep.expireSequences(T0 + 1, 1));
        expect([await pass('FC1'), await pass('FC2')]).toEqual([1, 1]);
      });
    });
  });
}
