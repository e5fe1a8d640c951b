import { describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { newId } from '@parcelway/kernel/ids';
import type { TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { disable } from '../../endpoints/domain/disabling.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { deliveries } from '../../intake/adapters/mongo-delivery-documents.ts';
import type { Delivery, LeasedDelivery } from '../../intake/domain/delivery.ts';
import type { WebhookStores } from '../../ports.ts';
import { dyingAfter } from '../../testing/mongo-faults.ts';
import { type MongoReplicas, useMongoReplicas } from '../../testing/mongo-replicas.ts';
import { acceptIn, endpointFor, eventFor, keep, planned, replayOf, resultOf, T0 } from '../../testing/webhook-fixtures.ts';
import { LEASE_MS } from '../domain/lease.ts';
import { MAX_LEASE_MS } from './mongo-lease.ts';

let opened: TestDatabase;
let databases: MongoReplicas['databases'];
let replicas: MongoReplicas['replicas'];
let stores: WebhookStores;
let other: WebhookStores;
useMongoReplicas((made) => {
  ({ opened, databases, replicas } = made);
  [stores, other] = replicas;
});

async function add(endpointId: string): Promise<Endpoint> {
  const endpoint = endpointFor('tnt_one', { endpointId });
  await stores.endpoints.insert(endpoint, 10);
  return endpoint;
}

async function acceptEvents(count: number): Promise<void> {
  const all = Array.from({ length: count }, () => eventFor('tnt_one', newId('evt')));
  await Promise.all(all.map((event) => acceptIn(stores.intake, event, T0, () => planned())));
}

async function deliveriesOf(endpointId: string): Promise<readonly Delivery[]> {
  return (await stores.log.list('tnt_one', endpointId, { limit: 1000, before: null })).deliveries;
}

const lease = (replica: WebhookStores, now: number, leaseUntil: number, count = 100, endpointIds = ['ep_1']) =>
  replica.queue.lease(
    endpointIds.map((endpointId) => ({ endpointId, count })),
    now,
    leaseUntil,
  );

const idsOf = (leased: readonly LeasedDelivery[]): string[] => leased.map(({ delivery }) => delivery.deliveryId);

describe('due deliveries', () => {
  test('are leased once each, by however many processes at the same time', async () => {
    for (const endpointId of ['ep_1', 'ep_2']) await add(endpointId);
    await acceptEvents(100);
    const all = async (replica: WebhookStores): Promise<string[]> => {
      const taken: string[] = [];
      for (let empty = 0; empty < 3; ) {
        const batch = await lease(replica, T0, T0 + 60_000, 7, ['ep_1', 'ep_2']);
        expect(batch.every(({ body }) => body === '{"seq":1}')).toBe(true);
        taken.push(...idsOf(batch));
        empty = batch.length === 0 ? empty + 1 : 0;
      }
      return taken;
    };
    const taken = await Promise.all(replicas.map(all));
    expect(taken.flat()).toHaveLength(200);
    expect(new Set(taken.flat()).size).toBe(200);
    expect(taken.filter((ofOne) => ofOne.length > 0).length).toBeGreaterThan(1);
  });

  test.each(['updateMany', 'find'] as const)(
    'are due again at the next look when the response to the %s of a lease was lost',
    async (name) => {
      await add('ep_1');
      await acceptEvents(3);
      const collection = collectionOf(databases[1], deliveries);
      const updateMany = collection.updateMany.bind(collection);
      const lost = jest.spyOn(collection, name);
      const failure = (): Promise<never> => Promise.reject(AppError.unavailable('The response was lost'));
      if (name === 'find') lost.mockImplementationOnce((() => ({ toArray: failure })) as never);
      else {
        lost.mockImplementationOnce((async (...given: Parameters<typeof updateMany>) => {
          lost.mockRestore();
          await updateMany(...given);
          return failure();
        }) as never);
      }
      await expect(lease(other, T0, T0 + LEASE_MS)).rejects.toMatchObject({ code: '50301' });
      lost.mockRestore();
      expect((await other.queue.dueEndpoints({ after: '', now: T0, limit: 10 })).endpointIds).toEqual(['ep_1']);
      const held = await lease(stores, T0, T0 + LEASE_MS);
      expect(held).toHaveLength(3);
      // Those that another process has now stay where they are.
      await other.queue.dueEndpoints({ after: '', now: T0 + 1000, limit: 10 });
      expect(await lease(other, T0 + 1000, T0 + LEASE_MS)).toEqual([]);
    },
  );

  test('that could not be given back are given back at the next look', async () => {
    await add('ep_1');
    await acceptEvents(3);
    const held = await lease(other, T0, T0 + LEASE_MS);
    const lost = jest.spyOn(collectionOf(databases[1], deliveries), 'bulkWrite');
    lost.mockRejectedValueOnce(AppError.unavailable('The store is out'));
    await expect(other.queue.release(held)).rejects.toMatchObject({ code: '50301' });
    lost.mockRestore();
    await other.queue.dueEndpoints({ after: '', now: T0, limit: 10 });
    expect(idsOf(await lease(stores, T0, T0 + LEASE_MS)).sort()).toEqual(idsOf(held).sort());
  });

  test('that a process whose clock was ahead held when it ended wait for no clock; retries far away stay where they are', async () => {
    for (const endpointId of ['ep_1', 'ep_2']) await add(endpointId);
    await acceptEvents(2);
    const ahead = T0 + 10 * 60_000;
    const held = await lease(other, ahead, ahead + LEASE_MS, 1);
    const [retried] = (await lease(stores, T0, T0 + LEASE_MS, 1)) as [LeasedDelivery];
    await stores.queue.record([resultOf(retried, 'pending', T0 + 24 * 3_600_000)], keep);
    await lease(stores, T0, T0 + LEASE_MS, 100, ['ep_2']);
    const look = (now: number) => stores.queue.dueEndpoints({ after: '', now, limit: 10 });
    // While the lease may be one of this clock, it counts.
    expect(await look(ahead + LEASE_MS - MAX_LEASE_MS)).toMatchObject({ endpointIds: ['ep_2'] });
    expect(await lease(stores, T0, T0 + LEASE_MS)).toEqual([]);
    expect(await look(T0)).toMatchObject({ endpointIds: ['ep_1'] });
    expect(idsOf(await lease(stores, T0, T0 + LEASE_MS, 100, ['ep_1', 'ep_2']))).toEqual(idsOf(held));
    expect(await deliveriesOf('ep_1')).toContainEqual(expect.objectContaining({ nextAttemptAt: T0 + 24 * 3_600_000 }));
  });

  test('that got 410 of a receiver that was left are due again, wherever the process dies', async () => {
    for (const takesPlace of [true, false]) {
      for (let writes = 0, died = true; died; writes += 1) {
        expect(writes).toBeLessThan(10);
        await opened.clear();
        await add('ep_1');
        await acceptEvents(1);
        const dying = openMongoStores(dyingAfter(databases[1], writes + 1, takesPlace));
        const [sent] = (await lease(dying, T0, T0 + 1000)) as [LeasedDelivery];
        await stores.endpoints.update('tnt_one', 'ep_1', (one) => ({ ...one, url: 'https://new.example/' }));
        died = await dying.queue.record([{ ...resultOf(sent, 'held'), gone: true }], keep).then(
          () => false,
          () => true,
        );
        const again = await lease(stores, T0 + 1000, T0 + 2000);
        expect({ takesPlace, writes, again: again.map(({ endpoint }) => endpoint.url) }).toEqual({
          takesPlace,
          writes,
          again: ['https://new.example/'],
        });
      }
    }
  });

  test('that succeed clear the failures that another process has found of their endpoint, the next at the latest', async () => {
    await add('ep_8');
    await acceptEvents(3);
    const failingSince = async () => (await stores.endpoints.get('tnt_one', 'ep_8'))?.failingSince;
    const clear = (one: Endpoint): Endpoint => (one.failingSince === null ? one : { ...one, failingSince: null });
    const leaseOne = async () => (await lease(stores, T0, T0 + LEASE_MS, 1, ['ep_8']))[0] as LeasedDelivery;
    const before = await leaseOne();
    await other.endpoints.update('tnt_one', 'ep_8', (one) => ({ ...one, failingSince: T0 }));
    const after = await leaseOne();
    await stores.queue.record([resultOf(before, 'succeeded')], clear);
    expect(await failingSince()).toBe(T0);
    await stores.queue.record([resultOf(after, 'succeeded')], clear);
    expect(await failingSince()).toBeNull();
  });

  test('that succeed clear the failures that their own process has found of their endpoint, however early they were leased', async () => {
    await add('ep_9');
    await acceptEvents(3);
    const failingSince = async () => (await stores.endpoints.get('tnt_one', 'ep_9'))?.failingSince;
    const clear = (one: Endpoint): Endpoint => (one.failingSince === null ? one : { ...one, failingSince: null });
    const [failed, early, late] = (await lease(stores, T0, T0 + LEASE_MS, 3, ['ep_9'])) as [LeasedDelivery, LeasedDelivery, LeasedDelivery];
    await stores.queue.record([resultOf(failed, 'pending', T0 + 1)], (one) => ({ ...one, failingSince: T0 + 1 }));
    expect(await failingSince()).toBe(T0 + 1);
    await stores.queue.record([resultOf(early, 'succeeded')], clear);
    expect(await failingSince()).toBeNull();
    const failing = { ...late, endpoint: { ...late.endpoint, failingSince: T0 } };
    await other.endpoints.update('tnt_one', 'ep_9', (one) => ({ ...one, failingSince: T0 }));
    await stores.queue.record([resultOf(failing, 'succeeded'), resultOf(early, 'succeeded')], clear);
    expect(await failingSince()).toBeNull();
  });

  test('are announced: the store says when the next is due, a lease ending included', async () => {
    await add('ep_1');
    const look = async (now: number) => (await stores.queue.dueEndpoints({ after: '', now, limit: 10 })).nextDueAt;
    expect(await look(T0)).toBe(Number.POSITIVE_INFINITY);
    await acceptEvents(1);
    expect(await look(T0 - 5)).toBe(T0);
    await lease(stores, T0, T0 + 1000);
    expect(await look(T0)).toBe(T0 + 1000);
  });

  test('of the same instant under two leases are distinguished by who has them', async () => {
    await add('ep_1');
    await acceptEvents(1);
    const [lost] = await lease(other, T0, T0 + 1000);
    await other.queue.release([lost as LeasedDelivery]);
    const [present] = await lease(stores, T0, T0 + 1000);
    await other.queue.record([resultOf(lost as LeasedDelivery, 'failed')], keep);
    expect(await deliveriesOf('ep_1')).toMatchObject([{ status: 'pending', attemptCount: 1, step: 0 }]);
    await stores.queue.record([resultOf(present as LeasedDelivery, 'pending', T0 + 5)], keep);
    expect(await deliveriesOf('ep_1')).toMatchObject([{ status: 'pending', attemptCount: 2, step: 1, nextAttemptAt: T0 + 5 }]);
  });

  test('a batch of results that was cut off is written again, and nothing is counted twice', async () => {
    for (const takesPlace of [true, false]) {
      for (let writes = 0, died = true; died; writes += 1) {
        expect(writes).toBeLessThan(10);
        await opened.clear();
        await add('ep_1');
        await acceptEvents(3);
        // The same process comes to itself again: its leases are its own.
        const dying = openMongoStores(dyingAfter(databases[1], writes + 1, takesPlace));
        const [good, bad, lost] = (await lease(dying, T0, T0 + 1000)) as [LeasedDelivery, LeasedDelivery, LeasedDelivery];
        await collectionOf(opened.database, deliveries).updateOne(
          { delivery_id: lost.delivery.deliveryId },
          { $set: { lease_owner: 'x' } },
        );
        const results = [resultOf(good, 'succeeded'), resultOf(bad, 'pending', T0 + 5), resultOf(lost, 'pending', T0 + 5)];
        const health = (one: Endpoint): Endpoint => ({ ...one, failingSince: T0 });
        died = await dying.queue.record(results, health).then(
          () => false,
          () => true,
        );
        await stores.queue.record(results, health);
        const states = new Map((await deliveriesOf('ep_1')).map((one) => [one.deliveryId, one]));
        const counts = [good, bad, lost].map(({ delivery }) => states.get(delivery.deliveryId)?.attemptCount);
        expect({ takesPlace, writes, counts }).toEqual({ takesPlace, writes, counts: [1, 1, 1] });
        expect(states.get(good.delivery.deliveryId)).toMatchObject({ status: 'succeeded', step: 1 });
        expect(await stores.endpoints.get('tnt_one', 'ep_1')).toMatchObject({ failingSince: T0 });
      }
    }
  });
});

describe('endpoints', () => {
  test('are never more than allowed, whoever adds them', async () => {
    /** On a busy machine the races may outlast a call: it comes again, as a client's would. */
    const insert = async (replica: WebhookStores | undefined, tries = 5): Promise<boolean | undefined> => {
      try {
        return await replica?.endpoints.insert(endpointFor('tnt_one'), 10);
      } catch (error) {
        if ((error as { code?: string }).code !== '50301' || tries === 0) throw error;
        return insert(replica, tries - 1);
      }
    };
    const tries = Array.from({ length: 36 }, (_, index) => insert(replicas[index % 3]));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(10);
    const [first] = await other.endpoints.list('tnt_one');
    expect(await stores.endpoints.remove('tnt_one', first?.endpointId ?? '')).toBe(true);
    const again = Array.from({ length: 6 }, (_, index) => insert(replicas[index % 3]));
    expect((await Promise.all(again)).filter(Boolean)).toHaveLength(1);
    expect(await stores.endpoints.list('tnt_one')).toHaveLength(10);
  });

  test('become disabled once, whoever records the failures', async () => {
    await add('ep_1');
    await acceptEvents(30);
    const results = (await lease(stores, T0, T0 + 1000)).map((one) => resultOf(one, 'held'));
    const gone = (one: Endpoint): Endpoint => disable(one, 'gone', T0);
    const disabled = await Promise.all(
      replicas.map((replica, index) =>
        replica.queue.record(
          results.filter((_, place) => place % 3 === index),
          gone,
        ),
      ),
    );
    expect(disabled.flat()).toHaveLength(1);
  });
});

test('a delivery is made due once, however many ask for it', async () => {
  const endpoint = await add('ep_1');
  await acceptEvents(20);
  await stores.queue.record(
    (await lease(stores, T0, T0 + 1000)).map((one) => resultOf(one, 'failed')),
    keep,
  );
  const scheduled = await Promise.all(
    replicas.map(({ redelivery }) => redelivery.replay(endpoint, replayOf(), T0 + 5, () => newId('dlv'))),
  );
  expect(scheduled.reduce((sum, one) => sum + one.scheduled, 0)).toBe(20);
  const late = await add('ep_2');
  const missing = await Promise.all(replicas.map(({ redelivery }) => redelivery.replay(late, replayOf(), T0 + 5, () => newId('dlv'))));
  expect(missing.reduce((sum, one) => sum + one.scheduled, 0)).toBe(20);
  expect(await deliveriesOf('ep_2')).toHaveLength(20);
});

test('of two replays at once, the one that comes to writing last makes nothing due', async () => {
  const endpoint = await add('ep_1');
  await acceptEvents(2);
  await stores.queue.record(
    (await lease(stores, T0, T0 + 1000)).map((one) => resultOf(one, 'failed')),
    keep,
  );
  const replay = (replica: WebhookStores) => replica.redelivery.replay(endpoint, replayOf(), T0 + 5, () => newId('dlv'));
  const writer = collectionOf(opened.database, deliveries);
  const bulkWrite = writer.bulkWrite.bind(writer);
  writer.bulkWrite = async (...given) => {
    writer.bulkWrite = bulkWrite;
    expect(await replay(other)).toMatchObject({ scheduled: 2 });
    await other.queue.record(
      (await lease(other, T0 + 5, T0 + 1000)).map((one) => resultOf(one, 'succeeded')),
      keep,
    );
    return bulkWrite(...given);
  };
  expect(await replay(stores)).toMatchObject({ scheduled: 0 });
  expect((await deliveriesOf('ep_1')).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
});

test('a delivery that is being sent is not sent again for a process whose clock is behind', async () => {
  const endpoint = await add('ep_1');
  await acceptEvents(1);
  const [leased] = await lease(stores, T0, T0 + 60_000);
  const { deliveryId } = (leased as LeasedDelivery).delivery;
  const behind = T0 - 5000;
  expect(await other.redelivery.resend('tnt_one', 'ep_1', deliveryId, behind)).toMatchObject({ nextAttemptAt: T0 });
  expect(await other.redelivery.replay(endpoint, replayOf(), behind, () => newId('dlv'))).toMatchObject({ scheduled: 0 });
  expect(await lease(other, T0, T0 + 60_000)).toEqual([]);
});
