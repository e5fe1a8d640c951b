import { beforeEach, expect, test } from '@jest/globals';
import { newId } from '@parcelway/kernel/ids';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import type { TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { mongoCollections } from '@parcelway/platform/open-store';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { webhookCollections } from '../collections.ts';
import { change, type Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { TenantEvent } from '../intake/domain/tenant-event.ts';
import { events } from '../intake/event-collections.ts';
import { MAY_BE_UNSTORED_MS } from '../intake/unstored-deliveries.ts';
import type { WebhookStores } from '../ports.ts';
import { openMongoStores, useMongoReplicas } from '../testing/mongo-replicas.ts';
import { acceptIn, EVERY_EVENT, endpointFor, eventFor, keep, planned, replayOf, resultOf, T0 } from '../testing/webhook-fixtures.ts';

// What several processes on one MongoDB come to: the rules of one process are tested on SQLite.

let opened: TestDatabase;
let databases: readonly MongoDatabase[];
let replicas: readonly WebhookStores[];
let stores: WebhookStores;
let other: WebhookStores;
useMongoReplicas((made) => {
  ({ opened, databases, replicas } = made);
  [stores, other] = made.replicas;
});
let isProfiled = false;
beforeEach(async () => {
  if (!isProfiled) await startProfile(opened.database);
  isProfiled = true;
  await stores.endpoints.insert(endpointFor('tnt_one', { endpointId: 'ep_1' }), 10);
});

const leased = () => planned({ leaseUntil: T0 + 60_000 });
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const list = async (endpointId = 'ep_1') => (await other.log.list('tnt_one', endpointId, { limit: 1000, before: null })).deliveries;
const lease = (replica: WebhookStores, now = T0, until = now + 60_000, count = 100) =>
  replica.queue.lease([{ endpointId: 'ep_1', count }], now, until);

async function acceptEvents(count: number): Promise<void> {
  const all = Array.from({ length: count }, () => eventFor('tnt_one', newId('evt')));
  await Promise.all(all.map((event) => acceptIn(stores.intake, event, T0, () => planned())));
}

test('batches with the same parcels at once: each parcel counts without a gap, each event of a batch after the one before it', async () => {
  const PARCELS = 7;
  const batches = [0, 1, 2].map(() => Array.from({ length: 60 }, (_, index) => eventFor('tnt_one', `FC${index % PARCELS}`)));
  const entriesOf = (batch: readonly TenantEvent[]) => batch.map((event) => ({ event, plan: leased }));
  // Each batch comes to two replicas, as after a rebalance that the first of them learns of late.
  const takings = batches.flatMap((batch, index) => [replicas[index], replicas[(index + 1) % 3]].map((replica) => ({ batch, replica })));
  const outcomes = await Promise.all(takings.map(({ batch, replica }) => replica?.intake.accept(entriesOf(batch), T0)));
  const sent = outcomes.flatMap((all = []) =>
    all.flatMap((one) => ('error' in one ? [] : one.deliveries.flatMap((made) => made.leased ?? []))),
  );
  const eventIds = sent.map(({ delivery }) => delivery.eventId);
  expect(new Set(eventIds).size).toBe(eventIds.length);
  const documents = createMongoStore(opened.database);
  for (let parcel = 0; parcel < PARCELS; parcel += 1) {
    const { items } = await documents.find(events.by.number, { eq: ['tnt_one', `FC${parcel}`], limit: 100 });
    const expected = batches.map((batch) =>
      batch.filter((event) => event.parcel?.forecastNo === `FC${parcel}`).map(({ eventId }) => eventId),
    );
    expect(items.map(({ value }) => value.seq)).toEqual(upTo(expected.flat().length));
    const inStore = items.map(({ value }) => value.eventId);
    for (const inOrder of expected) expect(inStore.filter((eventId) => inOrder.includes(eventId))).toEqual(inOrder);
  }
  expect(await list()).toHaveLength(180);
}, 60_000);

test('due deliveries are leased once each, by however many processes at the same time', async () => {
  await acceptEvents(60);
  const all = async (replica: WebhookStores): Promise<string[]> => {
    const taken: string[] = [];
    for (let empty = 0; empty < 3; ) {
      const batch = await lease(replica, T0, T0 + 60_000, 7);
      taken.push(...batch.map(({ delivery }) => delivery.deliveryId));
      empty = batch.length === 0 ? empty + 1 : 0;
    }
    return taken;
  };
  const taken = (await Promise.all(replicas.map(all))).flat();
  expect([taken.length, new Set(taken).size]).toEqual([60, 60]);
});

test('of the same instant under two leases are distinguished by their versions', async () => {
  await acceptEvents(1);
  const [lost] = (await lease(other, T0, T0 + 1000)) as [LeasedDelivery];
  await other.queue.release([lost]);
  const [present] = (await lease(stores, T0, T0 + 1000)) as [LeasedDelivery];
  await other.queue.record([resultOf(lost, 'failed')], keep);
  expect(await list()).toMatchObject([{ status: 'pending', attemptCount: 1, step: 0 }]);
  await stores.queue.record([resultOf(present, 'pending', T0 + 5)], keep);
  expect(await list()).toMatchObject([{ status: 'pending', attemptCount: 2, step: 1, nextAttemptAt: T0 + 5 }]);
});

test('processes that add endpoints at once never exceed the limit', async () => {
  const tries = Array.from({ length: 18 }, (_, index) => replicas[index % 3]?.endpoints.insert(endpointFor('tnt_two'), 5));
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(5);
});

test('a delivery is made due once, however many ask for it', async () => {
  const endpoint = (await stores.endpoints.get('tnt_one', 'ep_1')) as Endpoint;
  await acceptEvents(20);
  const results = (await lease(stores)).map((one) => resultOf(one, 'failed'));
  await stores.queue.record(results, keep);
  const scheduled = await Promise.all(
    replicas.map(({ redelivery }) => redelivery.replay(endpoint, replayOf(), T0 + 5, () => newId('dlv'))),
  );
  expect(scheduled.reduce((sum, one) => sum + one.scheduled, 0)).toBe(20);
});

test('what a tenant has replayed after enabling is never held by who saw the endpoint disabled', async () => {
  await acceptEvents(20);
  for (let round = 1; round <= 5; round += 1) {
    const at = T0 + round;
    await stores.endpoints.update('tnt_one', 'ep_1', (one) => change(one, { status: 'disabled' }, at));
    const holding = [replicas[1], replicas[2]].map(async (replica) => {
      await replica?.queue.lease([{ endpointId: 'ep_1', count: 3 }], at, at);
      while (await replica?.maintenance.holdDisabled(3)) {}
    });
    const enabled = (await stores.endpoints.update('tnt_one', 'ep_1', (one) => change(one, { status: 'enabled' }, at))) as Endpoint;
    await stores.redelivery.replay(enabled, replayOf({ only: 'undelivered' }), at, () => newId('dlv'));
    await Promise.all(holding);
    expect(new Set((await list()).map(({ status }) => status))).toEqual(new Set(['pending']));
  }
});

test('another process stores the deliveries of a process that ended while it sent them', async () => {
  const event = eventFor('tnt_one', 'FC1');
  const [sent] = await acceptIn(stores.intake, event, T0, leased, true);
  expect(await acceptIn(other.intake, event, T0, leased, true)).toEqual([]);
  expect(await lease(other, T0 + MAY_BE_UNSTORED_MS - 1)).toEqual([]);
  expect(await lease(other, T0 + MAY_BE_UNSTORED_MS)).toHaveLength(1);
  // It lives: what it has sent counts.
  await stores.queue.record([resultOf(sent?.leased as LeasedDelivery, 'succeeded')], keep);
  expect(await list()).toMatchObject([{ status: 'succeeded', attemptCount: 1 }]);
});

test('a reader of the feed misses nothing of processes that write at once', async () => {
  const all = Array.from({ length: 60 }, (_, index) => eventFor('tnt_one', `FC${index % 20}`));
  const writing = Promise.all(
    all.map((event, index) => acceptIn((replicas[index % 3] as WebhookStores).intake, event, Date.now(), () => null)),
  );
  const seen = new Set<string>();
  let from: Parameters<WebhookStores['feed']['page']>[1] = { since: null };
  for (const end = Date.now() + 15_000; seen.size < all.length && Date.now() < end; ) {
    const page = await stores.feed.page('tnt_one', from, EVERY_EVENT, 7);
    for (const { eventId } of page.events) seen.add(eventId);
    from = { after: page.next };
  }
  await writing;
  expect(seen).toEqual(new Set(all.map(({ eventId }) => eventId)));
}, 30_000);

test('everything is refused with 50301 while the store is out', async () => {
  const database = await opened.second();
  const out = await openMongoStores(database);
  await database.close();
  const calls = [
    () => out.endpoints.list('tnt_one'),
    () => acceptIn(out.intake, eventFor('tnt_one', 'FC1'), T0, () => null),
    () => out.queue.dueEndpoints({ after: '', now: T0, limit: 1 }),
    () => out.log.list('tnt_one', 'ep_1', { limit: 1, before: null }),
    () => out.feed.end('tnt_one'),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: '50301' });
});

test('none of the operations above goes through a whole collection, and those over all tenants alone name no shard key', async () => {
  expect(databases).toHaveLength(3);
  expect(await collectionScansOf(opened.database)).toEqual([]);
  expect(await broadcastsOf(opened.database, await mongoCollections(webhookCollections))).toMatchInlineSnapshot(`
[
  "find deliveries by _id, _w, due",
  "find deliveries by due, endpointId",
  "find endpoints by _id",
  "find endpoints by sweep",
  "updateMany deliveries by _id, due, endpointId",
]
`);
});
