import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@parcelway/kernel/ids';
import { collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { endpoints } from '../../endpoints/adapters/mongo-endpoint-documents.ts';
import { change, type Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { Delivery } from '../../intake/domain/delivery.ts';
import type { WebhookStores } from '../../ports.ts';
import { type MongoReplicas, useMongoReplicas } from '../../testing/mongo-replicas.ts';
import { acceptIn, endpointFor, eventFor, planned, T0 } from '../../testing/webhook-fixtures.ts';

let opened: MongoReplicas['opened'];
let replicas: MongoReplicas['replicas'];
let stores: WebhookStores;
let other: WebhookStores;
useMongoReplicas((made) => {
  ({ opened, replicas } = made);
  [stores, other] = replicas;
});
beforeEach(async () => {
  await stores.endpoints.insert(endpointFor('tnt_one', { endpointId: 'ep_1' }), 10);
});

/** Stores events whose deliveries are due at {@link T0}. */
async function acceptEvents(count: number): Promise<void> {
  const all = Array.from({ length: count }, () => eventFor('tnt_one', newId('evt')));
  await Promise.all(all.map((event) => acceptIn(stores.intake, event, T0, () => planned())));
}

async function deliveries(): Promise<readonly Delivery[]> {
  return (await stores.log.list('tnt_one', 'ep_1', { limit: 1000, before: null })).deliveries;
}

const lease = (replica: WebhookStores) => replica.queue.lease([{ endpointId: 'ep_1', count: 100 }], T0, T0 + 1000);

describe('a pending delivery that the maintenance misses', () => {
  test('at a disabled endpoint is held by whoever would send it', async () => {
    await stores.endpoints.update('tnt_one', 'ep_1', (one) => change(one, { status: 'disabled' }, T0));
    while (await stores.maintenance.holdDisabled(10)) {}
    await acceptEvents(5);
    expect(await lease(other)).toEqual([]);
    expect((await deliveries()).map(({ status }) => status)).toEqual(Array(5).fill('held'));
    expect((await stores.queue.dueEndpoints({ after: '', now: T0, limit: 10 })).endpointIds).toEqual([]);
  });

  test('at a deleted endpoint is deleted by whoever would send it', async () => {
    await acceptEvents(5);
    await collectionOf(opened.database, endpoints).deleteOne({ _id: 'ep_1' });
    expect(await lease(other)).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  test('and what a tenant has replayed after enabling is never held by who saw it disabled', async () => {
    await acceptEvents(20);
    const range = {
      types: ['parcel.weighed'],
      since: 0,
      until: T0 + 1,
      only: 'undelivered',
      after: null,
      limit: 100,
      matches: () => true,
    } as const;
    for (let round = 1; round <= 8; round += 1) {
      const at = T0 + round;
      await stores.endpoints.update('tnt_one', 'ep_1', (one) => change(one, { status: 'disabled' }, at));
      const holding = [replicas[1], replicas[2]].map(async ({ maintenance, queue }) => {
        await queue.lease([{ endpointId: 'ep_1', count: 3 }], at, at);
        while (await maintenance.holdDisabled(3)) {}
      });
      const enabled = (await stores.endpoints.update('tnt_one', 'ep_1', (one) => ({
        ...one,
        status: 'enabled',
        disabledReason: null,
        updatedAt: at,
      }))) as Endpoint;
      await stores.redelivery.replay(enabled, range, at, () => newId('dlv'));
      await Promise.all(holding);
      expect(new Set((await deliveries()).map(({ status }) => status))).toEqual(new Set(['pending']));
    }
  });
});
