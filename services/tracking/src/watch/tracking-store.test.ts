import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { dispatchOf, NOW, node, shipmentOf, TENANT } from '../testing/samples.ts';
import {
  leaseNumbers,
  openTrackingStore,
  publishedChanges,
  publishedEvents,
  shipParcel,
  type TestStore,
  type TrackingStoreDriver,
  testOptions,
  testStore,
} from '../testing/tracking-store-driver.ts';
import { decide } from './domain/decide.ts';
import type { ParcelFact } from './domain/facts.ts';
import { digestNodes } from './domain/history.ts';
import { MAX_NODES, nodeInstant } from './domain/node.ts';
import { keyText, type Parcel, type Shipment } from './domain/shipment.ts';
import { documentKey, indexFieldsOf, parcels, simulatedParcels } from './parcels-collection.ts';
import { createTrackingStore } from './tracking-store.ts';

describe('parcels', () => {
  let driver: TrackingStoreDriver;
  let store: TestStore;
  beforeEach(() => {
    driver = openTrackingStore();
    store = testStore(driver.store);
  });
  afterEach(() => driver.close());

  const parcel = async (number: string): Promise<Shipment> => (await store.findShipment(TENANT, 'FC1', number)) as Shipment;
  const contents = async (number: string): Promise<string[]> => (await store.history(await parcel(number))).map(({ content }) => content);

  test('are found by the po_number of their tenant only, and not those of a cancelled forecast', async () => {
    await store.dispatch(dispatchOf({ forecastNo: 'FC0', isCancelled: true }));
    expect(await store.findByPoNumber(TENANT, 'PO-1')).toEqual([]);
    await store.dispatch(dispatchOf());
    expect(await store.findByPoNumber(TENANT, 'PO-1')).toEqual([shipmentOf()]);
    expect(await store.findByPoNumber(TENANT, 'po-1')).toEqual([]);
    expect(await store.findByPoNumber('tnt_b', 'PO-1')).toEqual([]);
    expect(await store.findShipments(TENANT, 'FC0')).toHaveLength(1);
  });

  test('are read as they were decided, fact by fact', async () => {
    const first = { tenantId: TENANT, forecastNo: 'FC1', furtherNumber: '' };
    const further = { ...first, furtherNumber: 'SIM2' };
    const registration = { connectionId: 'con_a', reference: 'r1', at: NOW, isTaken: true };
    const facts: readonly ParcelFact[] = [
      { type: 'dispatched', ...dispatchOf({ sealedDetails: 's1.k.AAAA' }) },
      { type: 'dispatched', ...dispatchOf({ trackingNumber: 'SIM2', sequence: 'b', at: NOW + 1, dispatchedAt: NOW - 5 }) },
      { type: 'registered', shipment: shipmentOf(), registration },
      { type: 'asked', shipment: shipmentOf(), now: NOW + 2, gapMs: 1, isRefused: true },
      { type: 'response', shipment: shipmentOf(), nodes: digestNodes([node(1, 'Picked Up'), node(3)]), now: NOW + 3, report: {} },
      { type: 'response', shipment: shipmentOf(), nodes: digestNodes([node(2)]), now: NOW + 4, report: { registration: null } },
      { type: 'rescheduled', shipment: shipmentOf(), nextPollAt: NOW + 60_000, failures: 2, now: NOW + 5 },
      { type: 'news', ...first, now: NOW + 6 },
      { type: 'rescheduled', shipment: shipmentOf({ ...further, trackingNumber: 'SIM2' }), nextPollAt: null, failures: 0, now: NOW + 8 },
      { type: 'dispatched', ...dispatchOf({ carrierCode: 'other', sequence: 'c', at: NOW + 9 }) },
    ];
    const known = new Map<string, Parcel>();
    for (const fact of facts) {
      const { writes } = decide([fact], (key) => known.get(keyText(key)), 'sandbox');
      expect(writes).not.toEqual([]);
      await driver.store.record([fact]);
      for (const { after } of writes) {
        const stored = await driver.documents.get(parcels, documentKey(after), { with: ['nodes'] });
        expect(stored?.value).toEqual({ ...after, ...indexFieldsOf(after) });
        known.set(keyText(after), after);
      }
    }
  });

  test('are found by their number, the newest first, while they are watched, and no more than asked for', async () => {
    await store.dispatch(dispatchOf());
    await store.dispatch(dispatchOf({ forecastNo: 'FC2', poNumber: 'PO-2', at: NOW + 1 }));
    await store.dispatch(dispatchOf({ forecastNo: 'FC3', poNumber: 'PO-3', at: NOW + 2, trackingNumber: 'SIM2' }));
    const found = async (limit: number) => (await store.findByNumber('SIM1', limit)).map(({ forecastNo }) => forecastNo);
    expect([await found(10), await found(1), await store.findByNumber('sim1', 10)]).toEqual([['FC2', 'FC1'], ['FC2'], []]);
    await store.reschedule(await parcel('SIM1'), null, 0);
    expect(await found(10)).toEqual(['FC2']);
  });

  test('change once, however many record at the same time, with an event for each change', async () => {
    const shipment = await shipParcel(store);
    const story = [node(1, 'Picked Up'), node(2, 'In Transit'), node(3, 'In Delivery')];
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.respond(shipment, story.slice(0, 1 + (index % 3)), NOW)));
    const changes = await publishedChanges(driver);
    expect(changes.at(-1)?.[1]).toBe('In Delivery');
    expect(new Set(changes.map(([, current]) => current)).size).toBe(changes.length);
    const data = { forecast_no: 'FC1', po_number: 'PO-1', previous_admin_status: '', is_terminal: false };
    expect((await publishedEvents(driver))[0]).toMatchObject({ subject: 'FC1', tenantid: TENANT, environment: 'sandbox', data });
  });

  test('of which one has changed meanwhile have their events published, also those of the first attempt', async () => {
    const [one, other] = [await shipParcel(store, 'FC1'), await shipParcel(store, 'FC2')];
    const notified: string[] = [];
    const { record } = createTrackingStore(driver.documents, { ...testOptions, notify: () => void notified.push('notified') });
    const responseOf = (shipment: Shipment) => ({ type: 'response', shipment, nodes: digestNodes([node(1)]), now: NOW }) as const;
    const [, outcomes] = await Promise.all([record([responseOf(other)]), record([responseOf(one), responseOf(other)])]);
    expect([outcomes.map(({ isChanged }) => isChanged), (await publishedChanges(driver)).length, notified.length]).toEqual([
      [false, false],
      2,
      2,
    ]);
  });

  test('begin another history with another carrier, which nobody takes for the former one', async () => {
    const former = await shipParcel(store);
    await store.respond(former, [node(1)], NOW);
    await store.dispatch(dispatchOf({ carrierCode: 'other', sequence: '2026-11-21T09:00:00.000Z/evt_2' }));
    await store.respond(former, [node(2)], NOW);
    expect(await contents('SIM1')).toEqual([]);
    await store.respond(await parcel('SIM1'), [node(3)], NOW);
    expect([await store.history(former), (await contents('SIM1')).length]).toEqual([[], 1]);
  });

  test('have their last nodes in the simulation, and none of another tenant who has the same number', async () => {
    const parcel = { tenantId: TENANT, trackingNumber: 'SIM1' };
    const nodes = Array.from({ length: MAX_NODES }, (_none, index) => node(index));
    await driver.documents.apply([{ in: simulatedParcels, insert: { ...parcel, lastChangeAt: NOW, nodes } }]);
    await store.addSimulatedNode(parcel, { adminStatus: 'In Transit' }, NOW);
    expect((await store.simulatedNodes(parcel)).map(nodeInstant)).toEqual(nodes.map((_node, index) => NOW + (index + 1) * 1000));
    expect(await store.simulatedNodes({ tenantId: 'tnt_b', trackingNumber: 'SIM1' })).toEqual([]);
  });

  test('that are due are given to one at a time, those that have been due longest first, and again when the lease is over', async () => {
    for (const [index, at] of [NOW + 3, NOW + 1, NOW + 2].entries()) await store.dispatch(dispatchOf({ forecastNo: `FC${index}`, at }));
    const lease = async (): Promise<string[]> => (await store.lease(NOW + 5, NOW + 1000, 2)).map(({ forecastNo }) => forecastNo);
    // Two at once may share the first two between them.
    const atOnce = (await Promise.all([lease(), lease()])).flat();
    expect(atOnce).toEqual(expect.arrayContaining(['FC1', 'FC2']));
    expect([...atOnce, ...(await lease())].sort()).toEqual(['FC0', 'FC1', 'FC2']);
    expect([await leaseNumbers(store, NOW + 999), await leaseNumbers(store, NOW + 1000)]).toEqual([[], ['FC1', 'FC2', 'FC0']]);
  });

  test('that a poller has stay with it while they change, until it gives them back or there is news', async () => {
    const shipment = await shipParcel(store);
    const lease = () => leaseNumbers(store, NOW);
    expect(await lease()).toEqual(['FC1']);
    await store.respond(shipment, [node(1)], NOW);
    expect(await lease()).toEqual([]);
    await store.reschedule(shipment, NOW, 0);
    expect([await lease(), await lease()]).toEqual([['FC1'], []]);
    await store.simulate(shipment, { adminStatus: 'In Transit' }, NOW);
    expect(await lease()).toEqual(['FC1']);
  });

  test('that are due are counted with the time of the first, whether they are polled or not', async () => {
    expect(await store.overdue(NOW)).toEqual({ count: 0, oldestDueAt: null });
    for (const [index, at] of [NOW - 20, NOW - 30, NOW, NOW + 1].entries())
      await store.dispatch(dispatchOf({ forecastNo: `FC${index}`, at }));
    const [first] = await store.lease(NOW, NOW + 1000, 1);
    expect(await store.overdue(NOW)).toEqual({ count: 3, oldestDueAt: NOW - 30 });
    await store.reschedule(first as Shipment, NOW + 60_000, 0);
    expect(await store.overdue(NOW)).toEqual({ count: 2, oldestDueAt: NOW - 20 });
  });

  describe('of one forecast', () => {
    const numbers = ['SIM1', 'SIM2', 'SIM3'] as const;
    beforeEach(async () => {
      for (const number of numbers) await store.dispatch(dispatchOf({ trackingNumber: number, dispatchedAt: NOW - 5 }));
      for (const [seconds, number] of numbers.entries()) await store.respond(await parcel(number), [node(seconds)], NOW);
    });

    test('the last of which is deleted while a further one is dispatched, the further one is not lost', async () => {
      for (const number of numbers) await store.reschedule(await parcel(number), null, 0);
      const dispatchLate = store.dispatch(dispatchOf({ trackingNumber: 'SIM9', sequence: 'y' }));
      await Promise.all([store.purge(NOW + 1, 10), dispatchLate, store.purge(NOW + 1, 10)]);
      while ((await store.purge(NOW + 1, 10)) > 0);
      expect((await store.findShipments(TENANT, 'FC1')).map(({ trackingNumber }) => trackingNumber)).toEqual(['SIM9']);
    });
  });
});
