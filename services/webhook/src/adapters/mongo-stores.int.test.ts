import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { collectionOf } from '../endpoints/adapters/mongo-access.ts';
import { deliveries } from '../intake/adapters/mongo-delivery-documents.ts';
import { events, FEED_INDEX, STREAM_BEGINS } from '../intake/adapters/mongo-event-documents.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { acceptIn, endpointFor, eventFor, keep, planned, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { webhookCollections } from './mongo-collections.ts';
import { openMongoStores } from './mongo-stores.ts';
import { describeWebhookStores } from './webhook-stores.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(webhookCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeWebhookStores('MongoDB', async () => ({ stores: openMongoStores(opened.database), close: () => opened.clear() }));

test('what is written fits the schema', async () => {
  const stores = openMongoStores(opened.database);
  const endpoint = endpointFor('tnt_one', { description: '', circuit: { openUntil: T0, cooldownMs: 1000 } });
  await stores.endpoints.insert(endpoint, 10);
  const [made] = await acceptIn(stores.intake, eventFor('tnt_one', 'FC1'), T0, () => planned({ leaseUntil: T0 + 1 }));
  await stores.queue.record([resultOf(made?.leased as LeasedDelivery, 'pending', T0 + 5)], keep);
  await stores.queue.lease([{ endpointId: endpoint.endpointId, count: 1 }], T0 + 9, T0 + 99);
  await acceptIn(stores.intake, eventFor('tnt_one', 'FC1', { parcel: null, poNumber: null }), T0, () => null);
  await acceptIn(stores.intake, eventFor('tnt_two', 'FC1'), T0, () => null);
  await stores.maintenance.expireDeliveries(T0 + 1, 10);
  await stores.maintenance.expireEvents(T0 + 1, 10);
  await acceptIn(stores.intake, eventFor('tnt_two', 'FC1'), T0, () => null);
  const key = { ownerId: 'tnt_one', route: 'createEndpoint', key: 'k', fingerprint: 'f', seed: 's' };
  await stores.idempotency.add({ ...key, claim: 'c', claimedUntil: T0 + 1, createdAt: T0, response: null });
  const amounts = { events: 2 };
  for (const days of [stores.usage, stores.deliveryDays])
    await days.add({ counter: 'c1', number: 1, records: [{ tenantId: 'tnt_one', day: '2026-01-31', amounts }] });
  await createErasedTenants(createMongoStore(opened.database)).remember('tnt_gone', T0);
  for (const collection of webhookCollections) {
    const model = opened.database.model(collection as typeof deliveries);
    const documents = await model.collection.find({}, { hint: { _id: 1 } }).toArray();
    expect(documents.length).toBeGreaterThan(0);
    for (const document of documents) {
      const read = new model(document);
      expect(read.validateSync()).toBeUndefined();
      expect(read.toObject()).toEqual(document);
    }
  }
  await opened.clear();
});

test('the round over the endpoints jumps from one to the next, however many deliveries each has', async () => {
  const stored = collectionOf(opened.database, deliveries);
  const pipeline = [
    { $match: { endpoint_id: { $gt: '' }, available_at: { $gte: 0 } } },
    { $sort: { endpoint_id: 1, available_at: 1 } },
    { $group: { _id: '$endpoint_id', first: { $first: '$available_at' } } },
    { $limit: 10 },
  ];
  expect(JSON.stringify(await stored.aggregate(pipeline).explain('queryPlanner'))).toContain('DISTINCT_SCAN');
});

test('a page of the feed is read from its index, in its order', async () => {
  const stored = collectionOf(opened.database, events);
  const behind = { $or: [{ fed_at: { $gt: T0 } }, { event_id: { $gt: 'evt_1' } }] };
  const page = stored.find(
    { tenant_id: 'tnt_one', fed_at: { $gte: T0, $lte: T0 + 9 }, ...behind },
    { sort: { fed_at: 1, event_id: 1 }, limit: 9, hint: FEED_INDEX },
  );
  const explained = (await page.explain('queryPlanner')) as { readonly queryPlanner: { readonly winningPlan: object } };
  const plan = JSON.stringify(explained.queryPlanner.winningPlan);
  expect(plan).toContain(`"indexName":"${FEED_INDEX}"`);
  expect(plan).not.toContain('"stage":"SORT"');
});

test('a page of the feed reads as much as it shows, however many events of the other stream there are', async () => {
  const stores = openMongoStores(opened.database);
  const types = ['parcel.weighed', ...Array.from({ length: 300 }, () => 'parcel.photographed' as const), 'tracking.changed'] as const;
  await Promise.all(types.map((type, index) => acceptIn(stores.intake, eventFor('tnt_one', `FC${index}`, { type }), T0, () => null)));
  const stored = collectionOf(opened.database, events);
  const order = { sort: { fed_at: 1, event_id: 1 }, limit: 2, hint: FEED_INDEX } as const;
  const examined = async (start: number): Promise<readonly number[]> => {
    const page = stored.find({ tenant_id: 'tnt_one', fed_at: { $gte: start + 1, $lte: start + Date.now() + 60_000 } }, order);
    const { executionStats } = (await page.explain('executionStats')) as {
      readonly executionStats: { readonly nReturned: number; readonly totalKeysExamined: number; readonly totalDocsExamined: number };
    };
    return [executionStats.nReturned, executionStats.totalDocsExamined, executionStats.totalKeysExamined];
  };
  expect(await examined(STREAM_BEGINS.standard)).toEqual([2, 2, 2]);
  expect(await examined(STREAM_BEGINS.opt_in)).toEqual([2, 2, 2]);
  await opened.clear();
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
  // The profile does not show what a look-up in another collection does: they are done again and explained.
  const db = opened.database.connection.db;
  const seen = await db
    ?.collection('system.profile')
    .find({ 'command.pipeline.$lookup': { $exists: true } })
    .toArray();
  const pipelines = new Map(seen?.map(({ command }) => [`${command.aggregate} ${JSON.stringify(command.pipeline).length}`, command]));
  expect(new Set([...pipelines.values()].map(({ aggregate }) => aggregate))).toEqual(new Set(['endpoints', 'events']));
  for (const { aggregate, pipeline } of pipelines.values()) {
    const explained = await db?.collection(aggregate).aggregate(pipeline).explain('executionStats');
    expect(JSON.stringify(explained)).toMatch(/"collectionScans":0/);
    expect(JSON.stringify(explained)).not.toMatch(/"collectionScans":[1-9]|COLLSCAN/);
  }
});

test('every operation names the shard key, but for those over all tenants', async () => {
  expect(await broadcastsOf(opened.database, webhookCollections)).toEqual([
    'aggregate deliveries by available_at, endpoint_id',
    'aggregate events by $or(_id | created_at), created_at',
    'aggregate events by parcel',
    'deleteMany deliveries by _id, created_at, status',
    'deleteMany events by _id',
    'find deliveries by available_at, lease_owner',
    'find deliveries by created_at, status',
    'find sequences by updated_at',
  ]);
});
