import { beforeEach, describe, expect, test } from '@jest/globals';
import { disable } from '../endpoints/domain/disabling.ts';
import { change, type Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { WebhookStores } from '../ports.ts';
import type { StoresUnderTest } from '../testing/stores-under-test.ts';
import { resultOf, T0 } from '../testing/webhook-fixtures.ts';

export function describeWaiting(under: StoresUnderTest): void {
  describe('what waits at an endpoint', () => {
    const { acceptOne, leaseAll, find } = under;
    let stores: WebhookStores;
    let endpoint: Endpoint;
    beforeEach(() => {
      ({ stores, endpoint } = under);
    });

    const update = (given: Partial<Endpoint>) => stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => ({ ...one, ...given }));
    const setStatus = (status: Endpoint['status']) =>
      stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => change(one, { status }, T0));
    const named = async (now: number) => (await stores.queue.dueEndpoints({ after: '', now, limit: 10 })).endpointIds;

    test('during a pause is held when the pause becomes a disabling', async () => {
      const { delivery } = await acceptOne();
      await setStatus('paused');
      await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => disable(one, 'pause_expired', T0));
      while (await stores.maintenance.holdDisabled(10)) {}
      expect(await find(delivery.deliveryId)).toMatchObject({ status: 'held', nextAttemptAt: null, nextReason: null });
    });

    test('is not held any more once a disabled endpoint has become a paused one', async () => {
      const { delivery } = await acceptOne();
      await setStatus('disabled');
      await setStatus('paused');
      while (await stores.maintenance.holdDisabled(10)) {}
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

    test('is not held up by a circuit that was opened under a clock that was hours ahead', async () => {
      await acceptOne();
      await update({ circuit: { openUntil: T0 + 3_600_000, cooldownMs: 1000 } });
      expect(await named(T0)).toEqual([endpoint.endpointId]);
      expect(await leaseAll(T0, T0 + 1000)).toHaveLength(1);
    });
  });
}

export function describeGone(under: StoresUnderTest): void {
  describe('a receiver that responds with 410', () => {
    const { acceptOne, leaseAll, find } = under;
    let stores: WebhookStores;
    let endpoint: Endpoint;
    beforeEach(() => {
      ({ stores, endpoint } = under);
    });

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
      while (await stores.maintenance.holdDisabled(10)) {}
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
      while (await stores.maintenance.holdDisabled(10)) {}
      expect(await leaseAll(T0 + 9000, T0 + 9999)).toEqual([]);
      expect(await find(id)).toMatchObject({ status: 'held', attemptCount: 1, nextAttemptAt: null });
    });
  });
}
