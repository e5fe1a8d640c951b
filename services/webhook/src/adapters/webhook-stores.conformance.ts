import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DeliveryStatus, LeasedDelivery } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { AcceptedDelivery, WebhookStores } from '../ports.ts';
import { type OpenedStores, StoresUnderTest } from '../testing/stores-under-test.ts';
import { endpointFor, eventFor, keep, planned, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { describeFeed } from './webhook-feed.conformance.ts';
import { describeQueue } from './webhook-queue.conformance.ts';
import { describeRedelivery } from './webhook-redelivery.conformance.ts';
import { describeStreams } from './webhook-streams.conformance.ts';
import { describeUpkeep } from './webhook-upkeep.conformance.ts';
import { describeGone, describeWaiting } from './webhook-waiting.conformance.ts';

/** What every driver of the stores must do. */
export function describeWebhookStores(name: string, openStores: () => Promise<OpenedStores>): void {
  describe(`webhook stores: ${name}`, () => {
    const under = new StoresUnderTest(openStores);
    beforeEach(() => under.begin());
    afterEach(() => under.end());

    describeEndpoints(under);
    describeIntake(under);
    describeQueue(under);
    describeWaiting(under);
    describeGone(under);
    describeLog(under);
    describeRedelivery(under);
    describeFeed(() => under.stores);
    describeStreams(under);
    describeUpkeep(under);
  });
}

function describeEndpoints(under: StoresUnderTest): void {
  describe('endpoints', () => {
    let stores: WebhookStores;
    let endpoint: Endpoint;
    beforeEach(() => {
      ({ stores, endpoint } = under);
    });

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
        slowedUntil: T0 + 4,
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
}

function describeIntake(under: StoresUnderTest): void {
  describe('intake', () => {
    const { accept, acceptOne, find } = under;

    test('a delivery that is held has nothing that decided a time', async () => {
      const { delivery, leased } = await acceptOne(eventFor('tnt_one', 'FC1'), planned({ status: 'held', nextAttemptAt: null }));
      expect([delivery, leased]).toMatchObject([{ status: 'held', nextAttemptAt: null, nextReason: null }, null]);
      expect(await find(delivery.deliveryId)).toEqual(delivery);
    });

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
}

function describeLog(under: StoresUnderTest): void {
  describe('log', () => {
    const { accept, acceptOne } = under;
    let stores: WebhookStores;
    beforeEach(() => {
      ({ stores } = under);
    });

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

    test('has the body of an event, for its tenant alone', async () => {
      const event = eventFor('tnt_one', 'FC1', { render: () => '{"seq":"ü"}' });
      await accept(event);
      expect(await stores.log.body('tnt_one', event.eventId)).toBe('{"seq":"ü"}');
      expect(await stores.log.body('tnt_two', event.eventId)).toBeUndefined();
      expect(await stores.log.body('tnt_one', 'evt_none')).toBeUndefined();
    });

    test('has the delivery of an event at an endpoint, for its tenant alone', async () => {
      const [endpoint, other] = [endpointFor('tnt_one'), endpointFor('tnt_one')];
      for (const one of [endpoint, other]) await stores.endpoints.insert(one, 10);
      const event = eventFor('tnt_one', 'FC1');
      await accept(event, ({ endpointId }) => (endpointId === endpoint.endpointId ? planned({ deliveryId: 'dlv_a' }) : null));
      const { ofEvent } = stores.log;
      expect(await ofEvent('tnt_one', endpoint.endpointId, event.eventId)).toMatchObject({ deliveryId: 'dlv_a', eventId: event.eventId });
      expect(await ofEvent('tnt_one', other.endpointId, event.eventId)).toBeUndefined();
      expect(await ofEvent('tnt_two', endpoint.endpointId, event.eventId)).toBeUndefined();
      expect(await ofEvent('tnt_one', endpoint.endpointId, 'evt_none')).toBeUndefined();
    });
  });
}
