import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adminStatuses } from '@parcelway/contracts/admin-status';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import fc from 'fast-check';
import { emptyOutbox, interruptedOnce, openReplicas, storesOf, waitingChanges, waitingValues } from '../../testing/mongo-replicas.ts';
import { acceptedForecast, dispatchOf, NOW, node, TENANT } from '../../testing/samples.ts';
import { type TestStore, testStore } from '../../testing/tracking-store-driver.ts';
import { MAX_NODES } from '../domain/node.ts';
import type { Shipment } from '../domain/shipment.ts';
import { toNodeFields } from './mongo-documents.ts';
import { DUE_INDEX, parcels, simulatedParcels, trackingCollections } from './mongo-schema.ts';
import type { MongoStores } from './mongo-stores.ts';
import { describeTrackingStore } from './tracking-store.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(trackingCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeTrackingStore('MongoDB', async () => {
  const { store, outbox } = storesOf(opened.database);
  return {
    store,
    published: () => waitingValues(opened.database),
    emptyOutbox: () => emptyOutbox(outbox),
    close: () => opened.clear(),
  };
});

test('every operation names the shard key, but for those over all tenants', async () => {
  expect(await broadcastsOf(opened.database, trackingCollections)).toEqual([
    'aggregate parcels by shipment.next_poll_at',
    'deleteMany simulated_parcels by _id, last_change_at',
    'find parcels by _id',
    'find parcels by _id, shipment.lease_by, shipment.lease_until',
    'find parcels by shipment.lease_until, shipment.next_poll_at',
    'find parcels by shipment.next_poll_at, shipment.tracking_number',
    'find simulated_parcels by last_change_at',
    'updateMany parcels by _id',
    'updateMany parcels by _id, shipment.lease_until, shipment.next_poll_at',
    'updateMany parcels by _id, shipment.tracking_number',
  ]);
});

describe('several processes', () => {
  let replicas: readonly MongoStores[];
  let one: TestStore;
  beforeAll(async () => {
    replicas = await openReplicas(opened);
    one = testStore((replicas[0] as MongoStores).store);
  });
  afterEach(() => opened.clear());

  /** Does something so many times at once, the processes taking turns. */
  const atOnce = <T>(times: number, work: (store: TestStore, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(
      Array.from({ length: times }, (_, index) => work(testStore((replicas[index % replicas.length] as MongoStores).store), index)),
    );
  const shipped = async (given: Parameters<typeof dispatchOf>[0] = {}): Promise<Shipment> => {
    const dispatch = dispatchOf(given);
    await one.dispatch(dispatch);
    return (await one.findShipment(TENANT, dispatch.forecastNo)) as Shipment;
  };

  test('that record the same nodes publish the change once, and keep each node once', async () => {
    const shipment = await shipped();
    const story = [node(1, 'Picked Up'), node(2, 'In Transit'), node(3, 'In Delivery')];
    const outcomes = await atOnce(30, (store) => store.record(shipment, story, NOW));
    expect(outcomes.filter(({ change }) => change)).toHaveLength(1);
    expect(outcomes.every(({ latestStatus }) => latestStatus === 'In Delivery')).toBe(true);
    expect(await waitingChanges(opened.database)).toEqual([['', 'In Delivery']]);
    expect(await one.history(shipment)).toEqual([...story].reverse());
  });

  test('that record different nodes lose none, and each change begins where the one before ended', async () => {
    const shipment = await shipped();
    const story = Array.from({ length: 12 }, (_, index) => node(index, adminStatuses[index % adminStatuses.length]));
    await atOnce(story.length, (store, index) => store.record(shipment, story.slice(index, index + 1), NOW));
    expect(await one.history(shipment)).toEqual([...story].reverse());
    const changes = await waitingChanges(opened.database);
    changes.forEach(([previous], index) => {
      expect(previous).toBe(changes[index - 1]?.[1] ?? '');
    });
    expect(changes.at(-1)?.[1]).toBe(story.at(-1)?.adminStatus);
  });

  test('that lease at the same time share what is due, and take it again when the leases are over', async () => {
    const all = Array.from({ length: 60 }, (_, index) => `FC${index}`);
    await atOnce(all.length, (store, index) => store.dispatch(dispatchOf({ forecastNo: `FC${index}`, at: NOW + index })));
    const taken: string[] = [];
    // A process that was outrun comes again, as the poller does.
    for (let round = 0; round < 30 && taken.length < all.length; round += 1) {
      const leases = await atOnce(6, (store) => store.lease(NOW + 100, NOW + 100 + 1000, 7));
      taken.push(...leases.flat().map(({ forecastNo }) => forecastNo));
    }
    expect(taken.sort()).toEqual(all.sort());
    expect((await atOnce(3, (store) => store.lease(NOW + 1099, NOW + 1099 + 1000, 100))).flat()).toEqual([]);
    expect((await one.lease(NOW + 1100, NOW + 1100 + 1000, 100)).map(({ forecastNo }) => forecastNo)).toEqual(
      Array.from({ length: 60 }, (_, index) => `FC${index}`),
    );
  });

  test('come to the same in whatever order they hear of acceptance, cancellation and dispatches, and however often', async () => {
    const forecast = { tenantId: TENANT, forecastNo: 'FC1', poNumber: 'PO-1' };
    const second = dispatchOf({ carrierCode: 'other', sequence: '2026-11-21T09:00:00.000Z/evt_2' });
    const further = dispatchOf({ trackingNumber: 'SIM2', sequence: '2026-11-21T10:00:00.000Z/evt_3' });
    const steps: ((store: TestStore) => Promise<void>)[] = [
      (store) => store.accept(acceptedForecast({ forecastId: 7, acceptedAt: NOW - 5 })),
      (store) => store.cancel(forecast, NOW),
      (store) => store.dispatch(dispatchOf()),
      (store) => store.dispatch(second),
      (store) => store.dispatch(further),
    ];
    const orders = fc.shuffledSubarray([...steps, ...steps, ...steps], { minLength: 15 });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        await opened.clear();
        await atOnce(order.length, (store, index) => (order[index] as (typeof steps)[number])(store));
        const found = await one.findByPoNumber(TENANT, 'PO-1');
        expect(found).toMatchObject({ forecastNo: 'FC1', isCancelled: true });
        // Whichever number is known first is the first parcel; there is one document for each.
        const parcelOf = (number: string) => found?.shipments.find(({ trackingNumber }) => trackingNumber === number);
        expect([found?.shipments.length, parcelOf('SIM1')?.carrierCode, parcelOf('SIM2')?.carrierCode]).toEqual([2, 'other', 'sim']);
        const documents = await opened.database
          .model(parcels)
          .find({ _id: { $regex: `^${TENANT}/FC1` } })
          .sort({ _id: 1 })
          .lean();
        expect(documents).toHaveLength(2);
        expect(documents[0]).toMatchObject({ forecast_id: 7, accepted_at: NOW - 5, is_cancelled: true });
        expect(documents[0]?.further_numbers).toEqual([documents[1]?.shipment?.tracking_number]);
      }),
      { numRuns: 15 },
    );
  });

  test('never put nodes of the carrier before into the history of the one that replaced it', async () => {
    const first = await shipped();
    const second = dispatchOf({ carrierCode: 'other', sequence: '2026-11-21T09:00:00.000Z/evt_2' });
    await atOnce(18, (store, index) =>
      index === 7 ? store.dispatch(second) : store.record(first, [node(index)], NOW).then(() => undefined),
    );
    const shipment = (await one.findShipment(TENANT, 'FC1')) as Shipment;
    expect(shipment).toMatchObject({ carrierCode: 'other', watch: 2 });
    expect(await one.history(shipment)).toEqual([]);
    expect(await one.history(first)).toEqual([]);
  });

  test('that simulate at the same time make nodes of seconds of their own, and each wakes', async () => {
    const shipment = await shipped();
    const made = await atOnce(20, (store) => store.simulate(shipment, { adminStatus: 'In Transit' }, NOW));
    expect(new Set(made.map(({ createTime }) => createTime)).size).toBe(20);
    expect(await one.simulatedNodes(shipment)).toHaveLength(20);
    expect((await one.findShipment(TENANT, 'FC1'))?.wakes).toBe(20);
  });

  test('that end a watch while another hears of news leave it due', async () => {
    const shipment = await shipped();
    const late = testStore(
      storesOf(interruptedOnce(opened.database, () => one.simulate(shipment, { adminStatus: 'Exception' }, NOW))).store,
    );
    expect((await late.record(shipment, [node(1, 'Delivery Success')], NOW)).change?.isTerminal).toBe(true);
    expect(await one.lease(NOW, NOW + 1000, 10)).toHaveLength(1);
  });

  test('that record while another does find what it published', async () => {
    const shipment = await shipped();
    const late = testStore(storesOf(interruptedOnce(opened.database, () => one.record(shipment, [node(2, 'In Delivery')], NOW))).store);
    expect(await late.record(shipment, [node(1), node(2, 'In Delivery')], NOW)).toEqual({
      change: undefined,
      latestStatus: 'In Delivery',
      isChanged: true,
      hasNewNodes: true,
    });
    expect(await waitingChanges(opened.database)).toEqual([['', 'In Delivery']]);
    expect(await one.history(shipment)).toEqual([node(2, 'In Delivery'), node(1)]);
  });

  test('that hear of a dispatch late leave the later one', async () => {
    await one.accept(acceptedForecast());
    const second = dispatchOf({ carrierCode: 'other', sequence: '2026-11-21T09:00:00.000Z/evt_2' });
    const late = testStore(storesOf(interruptedOnce(opened.database, () => one.dispatch(second))).store);
    await late.dispatch(dispatchOf());
    expect(await one.findShipment(TENANT, 'FC1')).toMatchObject({ carrierCode: 'other', watch: 1 });
  });

  test('that hear of two parcels at the same time watch both', async () => {
    await one.accept(acceptedForecast());
    const numbers = Array.from({ length: 8 }, (_, index) => `SIM${index}`);
    await atOnce(numbers.length, (store, index) =>
      store.dispatch(dispatchOf({ trackingNumber: numbers[index] as string, at: NOW + index })),
    );
    expect((await one.findShipments(TENANT, 'FC1')).map(({ trackingNumber }) => trackingNumber)).toEqual(numbers);
    expect(await one.lease(NOW + 100, NOW + 1100, 20)).toHaveLength(numbers.length);
  });

  test('that clean up side by side count each shipment once', async () => {
    await atOnce(40, (store, index) => store.accept(acceptedForecast({ forecastNo: `FC${index}`, forecastId: index })));
    const counts: number[] = [];
    for (let round = 0; round < 10; round += 1) counts.push(...(await atOnce(3, (store) => store.purge(NOW + 1, 10))));
    expect(counts.reduce((sum, count) => sum + count)).toBe(40);
  });

  test('keep an old shipment whose event still waits, and delete it once that is published', async () => {
    const shipment = await shipped();
    await one.record(shipment, [node(1, 'Delivery Success')], NOW);
    expect(await one.purge(NOW + 1, 10)).toBe(0);
    await emptyOutbox((replicas[1] as MongoStores).outbox);
    expect(await one.purge(NOW + 1, 10)).toBe(1);
    expect(await one.findShipment(TENANT, 'FC1')).toBeUndefined();
  });

  test('clean up simulated parcels that no shipment has any more', async () => {
    const first = await shipped();
    await one.simulate(first, { adminStatus: 'In Transit' }, NOW);
    await one.dispatch(dispatchOf({ trackingNumber: 'SIM2', sequence: '2026-11-21T09:00:00.000Z/evt_2' }));
    await one.purge(NOW + 1, 10);
    expect(await opened.database.model(simulatedParcels).findById(`${TENANT}/SIM1`).lean()).toBeNull();
  });
});

test('what is due is counted from the index alone', async () => {
  const store = testStore(storesOf(opened.database).store);
  for (const index of [1, 2, 3]) await store.dispatch(dispatchOf({ forecastNo: `FC${index}`, at: NOW - index }));
  expect(await store.overdue(NOW)).toEqual({ count: 3, oldestDueAt: NOW - 3 });
  const counts = await opened.database.connection.db
    ?.collection('system.profile')
    .find({ ns: /\.parcels$/, 'command.aggregate': 'parcels', 'command.hint': DUE_INDEX })
    .toArray();
  expect(counts?.length).toBeGreaterThan(0);
  for (const count of counts ?? []) expect(count).toMatchObject({ planSummary: expect.stringMatching(/^IXSCAN/), docsExamined: 0 });
  expect(Math.max(...(counts ?? []).map(({ keysExamined }) => keysExamined))).toBeLessThanOrEqual(5);
  await opened.clear();
});

describe('limits', () => {
  beforeEach(() => opened.clear());

  test('a simulated parcel keeps as many nodes as may be', async () => {
    const { store } = storesOf(opened.database);
    const parcel = { tenantId: TENANT, trackingNumber: 'SIM1' };
    await store.addSimulatedNode(parcel, { adminStatus: 'In Transit' }, NOW);
    const full = Array.from({ length: MAX_NODES }, (_, index) => toNodeFields(node(index)));
    await opened.database.model(simulatedParcels).updateOne({ _id: `${TENANT}/SIM1` }, { $set: { nodes: full } });
    const made = await store.addSimulatedNode(parcel, { adminStatus: 'Exception' }, NOW);
    const nodes = await store.simulatedNodes(parcel);
    expect(nodes).toHaveLength(MAX_NODES);
    expect([nodes[0], nodes.at(-1)]).toEqual([node(1), made]);
  });

  test('the longest history that a carrier can send fits into a document', async () => {
    const store = testStore(storesOf(opened.database).store);
    await store.dispatch(dispatchOf());
    const shipment = (await store.findShipment(TENANT, 'FC1')) as Shipment;
    // Characters of four bytes, as many as the schema of the responses lets in.
    const longest = { orderNo: '😀'.repeat(100), address: '😀'.repeat(500), content: '😀'.repeat(2000), status: '😀'.repeat(200) };
    const nodes = Array.from({ length: MAX_NODES + 50 }, (_, index) => node(index, 'In Transit', longest));
    for (let from = 0; from < nodes.length; from += 75) await store.record(shipment, nodes.slice(from, from + 75), NOW);
    const history = await store.history(shipment);
    expect(history).toHaveLength(MAX_NODES);
    expect(history[0]).toEqual(nodes.at(-1));
  });
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
