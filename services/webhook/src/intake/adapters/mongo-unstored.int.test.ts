import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@parcelway/kernel/ids';
import type { TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { WebhookStores } from '../../ports.ts';
import { dyingAfter } from '../../testing/mongo-faults.ts';
import { type MongoReplicas, useMongoReplicas } from '../../testing/mongo-replicas.ts';
import { acceptIn, endpointFor, eventFor, keep, planned, replayOf, resultOf, T0 } from '../../testing/webhook-fixtures.ts';
import type { LeasedDelivery } from '../domain/delivery.ts';
import type { TenantEvent } from '../domain/tenant-event.ts';
import { deliveries } from './mongo-delivery-documents.ts';
import { MAY_BE_UNSTORED_MS } from './mongo-unstored.ts';

let opened: TestDatabase;
let databases: MongoReplicas['databases'];
let stores: WebhookStores;
let other: WebhookStores;
useMongoReplicas((made) => {
  ({
    opened,
    databases,
    replicas: [stores, other],
  } = made);
});

let endpoint: Endpoint;
beforeEach(async () => {
  endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
  await other.endpoints.insert(endpoint, 10);
});

const LEASE_END = T0 + 60_000;

/** Takes events from the log, all of them to be sent by the process that takes them. */
async function take(replica: WebhookStores, events: readonly TenantEvent[], isReplayed = true): Promise<LeasedDelivery[]> {
  const plan = () => planned({ leaseUntil: LEASE_END });
  const made = await Promise.all(events.map((event) => acceptIn(replica.intake, event, T0, plan, isReplayed)));
  return made.flat().flatMap(({ leased }) => leased ?? []);
}

const takeOne = async (replica = stores, event = eventFor('tnt_one', newId('evt'))): Promise<LeasedDelivery> =>
  (await take(replica, [event]))[0] as LeasedDelivery;

const list = async () => (await other.log.list('tnt_one', 'ep_1', { limit: 100, before: null })).deliveries;
const due = (now: number) => other.queue.lease([{ endpointId: 'ep_1', count: 100 }], now, now + 1000);
const documents = () => collectionOf(opened.database, deliveries).find().toArray();

describe('a delivery of the log', () => {
  test('has the document that it would have if it had been stored before, as every version reads it', async () => {
    const kinds = [['succeeded'], ['failed'], ['pending', T0 + 5]] as const;
    const shapes = [];
    for (const isReplayed of [true, false]) {
      await collectionOf(opened.database, deliveries).deleteMany({});
      const sent = await take(
        stores,
        kinds.map(() => eventFor('tnt_one', newId('evt'))),
        isReplayed,
      );
      const results = sent.map((one, index) => resultOf(one, kinds[index]?.[0] ?? 'failed', kinds[index]?.[1] ?? null));
      await stores.queue.record(results, keep);
      const plain = { _id: '', event_id: '', delivery_id: '', attempts: [] };
      const found = await documents();
      shapes.push(sent.map(({ delivery }) => ({ ...found.find((one) => one.delivery_id === delivery.deliveryId), ...plain })));
      expect(found.every(({ attempts }) => attempts?.length === 1)).toBe(true);
    }
    expect(shapes[0]).toEqual(shapes[1]);
  });

  test('is not settled before it is stored, and is stored before its first attempt ends if that takes long', async () => {
    const [quick, slow] = [await takeOne(), await takeOne()];
    let isSettled = false;
    const settled = stores.intake.settled().then(() => {
      isSettled = true;
    });
    await stores.queue.record([resultOf(quick, 'succeeded')], keep);
    expect(isSettled).toBe(false);
    await settled;
    expect((await list()).map(({ status, attemptCount }) => [status, attemptCount])).toEqual([
      ['pending', 0],
      ['succeeded', 1],
    ]);
    expect(await due(LEASE_END - 1)).toEqual([]);
    await stores.queue.record([resultOf(slow, 'succeeded')], keep);
    expect((await list()).map(({ status, attemptCount }) => [status, attemptCount])).toEqual([
      ['succeeded', 1],
      ['succeeded', 1],
    ]);
  });

  test('whose lease is given back is due for every process', async () => {
    const leased = [await takeOne(), await takeOne()] as const;
    await stores.queue.release([leased[0]]);
    await stores.queue.release([leased[1]], T0 + 500);
    expect(await due(T0)).toHaveLength(1);
    expect(await due(T0 + 500)).toHaveLength(1);
  });

  test('that a replay meets on its way is not sent twice; one that was lost is', async () => {
    const leased = await takeOne();
    const replay = (now: number) => other.redelivery.replay(endpoint, replayOf(), now, () => newId('dlv'));
    expect(await replay(T0 + 100)).toMatchObject({ scheduled: 0 });
    expect(await replay(T0 + MAY_BE_UNSTORED_MS)).toMatchObject({ scheduled: 1 });
    await stores.queue.record([resultOf(leased, 'succeeded')], keep);
    expect(await list()).toMatchObject([{ status: 'succeeded', attemptCount: 1 }]);
    expect(await due(T0 + MAY_BE_UNSTORED_MS)).toEqual([]);
  });
});

describe('a process that ends before it has stored what it sends', () => {
  test('is followed by whoever gets the events again', async () => {
    const event = eventFor('tnt_one', 'FC1');
    await takeOne(stores, event);
    expect(await takeOne(other, event)).toBeUndefined();
    expect(await due(T0 + MAY_BE_UNSTORED_MS - 1)).toEqual([]);
    expect(await due(T0 + MAY_BE_UNSTORED_MS)).toHaveLength(1);
    // It has not really ended: what it stores late is not to be there in the next test.
    await stores.intake.settled();
  });

  test('and lives: what it sends counts, and is not sent again', async () => {
    const event = eventFor('tnt_one', 'FC1');
    const leased = await takeOne(stores, event);
    await takeOne(other, event);
    // The log may bring it to the same process as well, which knows that it is on its way.
    await takeOne(stores, event);
    await stores.queue.record([resultOf(leased, 'succeeded')], keep);
    expect(await list()).toMatchObject([{ status: 'succeeded', attemptCount: 1 }]);
    expect(await due(T0 + MAY_BE_UNSTORED_MS)).toEqual([]);
  });

  test('or whose write is cut off writes it again, and nothing counts twice', async () => {
    for (const takesPlace of [true, false]) {
      for (let writes = 0, died = true; died; writes += 1) {
        expect(writes).toBeLessThan(10);
        await collectionOf(opened.database, deliveries).deleteMany({});
        const dying = openMongoStores(dyingAfter(databases[0], writes + 1, takesPlace));
        const sent = await take(dying, [eventFor('tnt_one', newId('evt')), eventFor('tnt_one', newId('evt'))]);
        const results = sent.map((one, index) => resultOf(one, index === 0 ? 'succeeded' : 'failed'));
        died = await dying.queue.record(results, keep).then(
          () => false,
          () => true,
        );
        if (died && !takesPlace) expect(await list()).toEqual([]);
        for (const { delivery } of sent) await take(other, [eventFor('tnt_one', 'FC', { eventId: delivery.eventId })]);
        await other.queue.record(results, keep);
        const counts = (await list()).map(({ attemptCount }) => attemptCount);
        expect({ takesPlace, writes, counts }).toEqual({ takesPlace, writes, counts: [1, 1] });
      }
    }
  });
});
