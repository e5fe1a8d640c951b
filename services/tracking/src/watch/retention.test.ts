import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { acceptedForecast, dispatchOf, NOW, node, TENANT } from '../testing/samples.ts';
import { openTrackingStore, shipParcel, type TestStore, type TrackingStoreDriver, testStore } from '../testing/tracking-store-driver.ts';
import { keyText, type Shipment } from './domain/shipment.ts';

describe('retention', () => {
  let driver: TrackingStoreDriver;
  let store: TestStore;
  beforeEach(() => {
    driver = openTrackingStore();
    store = testStore(driver.store);
  });
  afterEach(() => driver.close());
  const shipped = (forecastNo?: string): Promise<Shipment> => shipParcel(store, forecastNo);

  test('deletes what is over and old, in steps, and nothing else', async () => {
    const over = await shipped('FC1');
    await store.simulate(over, { adminStatus: 'Delivery Success' }, NOW);
    const current = (await store.findShipment(TENANT, 'FC1')) as Shipment;
    await store.respond(current, [node(1, 'Delivery Success')], NOW);
    await store.dispatch(dispatchOf({ forecastNo: 'FC2', poNumber: 'PO-2', trackingNumber: 'SIM2' }));
    await store.accept(acceptedForecast({ forecastNo: 'FC3', poNumber: 'PO-3' }));
    await store.accept(acceptedForecast({ forecastNo: 'FC4', poNumber: 'PO-4', acceptedAt: NOW + 10 }));
    expect(await store.purge(NOW, 10)).toBe(0);
    expect(await store.purge(NOW + 1, 10)).toBe(2);
    expect(await store.purge(NOW + 1, 10)).toBe(0);
    expect(await store.findByPoNumber(TENANT, 'PO-1')).toBeUndefined();
    expect(await store.findByPoNumber(TENANT, 'PO-3')).toBeUndefined();
    expect(await store.history(current)).toEqual([]);
    expect(await store.simulatedNodes(current)).toEqual([]);
    // Still under watch, and still young.
    expect(await store.findByPoNumber(TENANT, 'PO-2')).toMatchObject({ shipments: [{ trackingNumber: 'SIM2' }] });
    expect(await store.findByPoNumber(TENANT, 'PO-4')).toBeDefined();
  });

  test('deletes parcels one by one, and their forecast with the last of them', async () => {
    const first = await shipped('FC1');
    await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', sequence: 'b' }));
    await store.dispatch(dispatchOf({ trackingNumber: 'SIM3', sequence: 'c' }));
    const [, second, third] = await store.findShipments(TENANT, 'FC1');
    for (const parcel of [first, second]) await store.reschedule(parcel as Shipment, null, 0);
    expect(await store.purge(NOW + 1, 10)).toBe(2);
    expect(await store.findByPoNumber(TENANT, 'PO-1')).toMatchObject({ shipments: [{ trackingNumber: 'SIM3' }] });
    await store.reschedule(third as Shipment, null, 0);
    expect(await store.purge(NOW + 1, 10)).toBeGreaterThan(0);
    expect(await store.purge(NOW + 1, 10)).toBe(0);
    expect(await store.findByPoNumber(TENANT, 'PO-1')).toBeUndefined();
    // A dispatch that is delivered again begins anew.
    await store.dispatch(dispatchOf({ trackingNumber: 'SIM3', sequence: 'c' }));
    expect(await store.findShipments(TENANT, 'FC1')).toMatchObject([{ trackingNumber: 'SIM3', furtherNumber: null }]);
  });

  test('deletes only what was chosen, and lists what it would delete', async () => {
    for (const forecastNo of ['FC1', 'FC2']) await store.reschedule(await shipped(forecastNo), null, 0);
    const { store: retention } = driver;
    const ended = await retention.ended(NOW + 1, 10);
    expect(ended.map(({ forecastNo }) => forecastNo).sort()).toEqual(['FC1', 'FC2']);
    expect(ended[0]).toMatchObject({ tenantId: TENANT, isWatched: false });
    expect(await retention.ended(NOW, 10)).toEqual([]);
    expect(await retention.ended(NOW + 1, 1)).toHaveLength(1);
    expect(await retention.purge(NOW + 1, 10, new Set())).toBe(0);
    const chosen = new Set(ended.filter(({ forecastNo }) => forecastNo === 'FC2').map(keyText));
    expect(await retention.purge(NOW + 1, 10, chosen)).toBe(1);
    expect((await retention.ended(NOW + 1, 10)).map(({ forecastNo }) => forecastNo)).toEqual(['FC1']);
  });

  test('takes a forecast for old that is to go, with all its parcels', async () => {
    await shipped('FC1');
    await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', sequence: 'b' }));
    await shipped('FC2');
    await store.accept(acceptedForecast({ forecastNo: 'FC3', poNumber: 'PO-3' }));
    const { store: retention } = driver;
    expect(await retention.purge(1, 10)).toBe(0);
    const gone = ['FC1', 'FC3', 'none'].map((forecastNo) => ({ tenantId: TENANT, forecastNo }));
    await retention.age([...gone, { tenantId: 'tnt_other', forecastNo: 'FC2' }]);
    expect(await retention.ended(1, 10)).toHaveLength(2);
    while ((await retention.purge(1, 10)) > 0);
    expect(await store.findShipments(TENANT, 'FC1')).toEqual([]);
    expect(await store.findByPoNumber(TENANT, 'PO-3')).toBeUndefined();
    expect(await store.findShipments(TENANT, 'FC2')).toHaveLength(1);
  });
});
