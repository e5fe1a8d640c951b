import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { createMongoStore, type MongoStore } from '@parcelway/store/mongo/mongo-store';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import fc from 'fast-check';
import { trackingCollections } from '../../collections.ts';
import { dispatchOf, NOW, node, TENANT } from '../../testing/samples.ts';
import { shipParcel, type TestStore, testOptions, testStore } from '../../testing/tracking-store-driver.ts';
import { MAX_NODES } from '../domain/node.ts';
import type { Shipment } from '../domain/shipment.ts';
import { parcels } from '../parcels-collection.ts';
import { createTrackingStore } from '../tracking-store.ts';

// What the parcels of a forecast, each a document of its own, come to when processes change them at once; and what only MongoDB limits.

const collections = trackingCollections.map(mongoCollection);

let opened: TestDatabase;
let documents: MongoStore;
let replicas: readonly TestStore[];
let one: TestStore;
beforeAll(async () => {
  opened = await openTestDatabase(collections);
  const databases = [opened.database, await opened.second(), await opened.second()];
  const stores = databases.map((database) => createMongoStore(database));
  documents = stores[0] as MongoStore;
  replicas = stores.map((store) => testStore(createTrackingStore(store, testOptions)));
  one = replicas[0] as TestStore;
  await startProfile(opened.database);
});
afterEach(() => opened.clear());
afterAll(() => opened.close());

/** Does something so many times at once, the processes taking turns. */
const atOnce = <T>(times: number, work: (store: TestStore, index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => work(replicas[index % replicas.length] as TestStore, index)));

test('parcels come to the same in whatever order processes hear of dispatches, and however often', async () => {
  const second = dispatchOf({ carrierCode: 'other', sequence: '2026-11-21T09:00:00.000Z/evt_2' });
  const further = dispatchOf({ trackingNumber: 'SIM2', sequence: '2026-11-21T10:00:00.000Z/evt_3' });
  const steps: ((store: TestStore) => Promise<void>)[] = [
    (store) => store.dispatch(dispatchOf()),
    (store) => store.dispatch(second),
    (store) => store.dispatch(further),
  ];
  const orders = fc.shuffledSubarray([...steps, ...steps, ...steps], { minLength: 9 });
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      await opened.clear();
      await atOnce(order.length, (store, index) => (order[index] as (typeof steps)[number])(store));
      const found = await one.findByPoNumber(TENANT, 'PO-1');
      // Whichever number is known first is the first parcel; there is one document for each.
      const parcelOf = (number: string) => found.find(({ trackingNumber }) => trackingNumber === number);
      expect([found.length, parcelOf('SIM1')?.carrierCode, parcelOf('SIM2')?.carrierCode]).toEqual([2, 'other', 'sim']);
      const { items } = await documents.find(parcels.by.owned, { eq: [TENANT], limit: 9 });
      const [first, second] = items.map(({ value }) => value);
      expect(items).toHaveLength(2);
      expect(first).toMatchObject({ furtherNumbers: [second?.furtherNumber] });
    }),
    { numRuns: 15 },
  );
});

test('processes that hear of parcels of a forecast at the same time watch all of them', async () => {
  const numbers = Array.from({ length: 8 }, (_, index) => `SIM${index}`);
  await atOnce(numbers.length, (store, index) => store.dispatch(dispatchOf({ trackingNumber: numbers[index] as string, at: NOW + index })));
  expect((await one.findShipments(TENANT, 'FC1')).map(({ trackingNumber }) => trackingNumber)).toEqual(numbers);
  expect(await one.lease(NOW + 100, NOW + 1100, 20)).toHaveLength(numbers.length);
});

test('an old shipment whose event still waits is kept, and deleted once that is published', async () => {
  const shipment = await shipParcel(one);
  await one.respond(shipment, [node(1, 'Delivery Success')], NOW);
  expect(await one.purge(NOW + 1, 10)).toBe(0);
  const outbox = createMongoStore(opened.database).outbox(parcels);
  await outbox.remove((await outbox.lease(9)).map(({ id }) => id));
  await outbox.settle();
  expect(await one.purge(NOW + 1, 10)).toBe(1);
  expect(await one.findShipment(TENANT, 'FC1')).toBeUndefined();
});

test('the longest history that a carrier can send fits into a document', async () => {
  const store = one;
  await store.dispatch(dispatchOf());
  const shipment = (await store.findShipment(TENANT, 'FC1')) as Shipment;
  // Characters of four bytes, as many as the schema of the responses lets in.
  const longest = { orderNo: '😀'.repeat(100), address: '😀'.repeat(500), content: '😀'.repeat(2000), status: '😀'.repeat(200) };
  const nodes = Array.from({ length: MAX_NODES + 50 }, (_, index) => node(index, 'In Transit', longest));
  for (let from = 0; from < nodes.length; from += 75) await store.respond(shipment, nodes.slice(from, from + 75), NOW);
  const history = await store.history(shipment);
  expect(history).toHaveLength(MAX_NODES);
  expect(history[0]).toEqual(nodes.at(-1));
});

test('the last parcel of a forecast is deleted while processes hear of a further one: that one is watched, and once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const gone = await shipParcel(one);
    await one.reschedule(gone, null, 0);
    await atOnce(6, async (store, index) =>
      index % 2 === 0 ? void (await store.purge(NOW + 1, 10)) : store.dispatch(dispatchOf({ trackingNumber: 'SIM9', sequence: 'z' })),
    );
    while ((await one.purge(NOW + 1, 10)) > 0);
    const { items } = await documents.find(parcels.by.shipments, { eq: [TENANT], limit: 9 });
    expect(items.map(({ value }) => value.trackingNumber)).toEqual(['SIM9']);
    expect((await one.findShipments(TENANT, 'FC1')).map(({ trackingNumber }) => trackingNumber)).toEqual(['SIM9']);
    await opened.clear();
  }
});

test('every operation names the shard key, but for those over all tenants', async () => {
  expect(await broadcastsOf(opened.database, collections)).toEqual([
    'find parcels by _id, _w, dueAt',
    'find parcels by dueAt',
    'find parcels by endedAt',
    'find simulated_parcels by lastChangeAt',
    'updateMany parcels by _id',
    'updateMany parcels by _id, dueAt',
  ]);
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
