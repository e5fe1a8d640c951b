import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Shipment } from '../../domain/shipment.ts';
import { dispatchOf, NOW, node, TENANT } from '../../testing/samples.ts';
import {
  leaseNumbers,
  publishedChanges,
  shipParcel,
  type TestStore,
  type TrackingStoreDriver,
  testStore,
} from '../../testing/tracking-store-driver.ts';

/** How dispatches put parcels under watch. */
export function describeDispatch(open: () => Promise<TrackingStoreDriver>): void {
  describe('dispatch', () => {
    let driver: TrackingStoreDriver;
    let store: TestStore;
    beforeEach(async () => {
      driver = await open();
      store = testStore(driver.store);
    });
    afterEach(() => driver.close());
    const shipped = (forecastNo?: string): Promise<Shipment> => shipParcel(store, forecastNo);
    const published = (): Promise<[string, string][]> => publishedChanges(driver);
    const due = (now: number): Promise<string[]> => leaseNumbers(store, now);

    test('puts the parcel under watch, due at once', async () => {
      const shipment = await shipped();
      expect(shipment).toMatchObject({ carrierCode: 'sim', trackingNumber: 'SIM1', watchedSince: NOW, publishedStatus: '', failures: 0 });
      expect((await store.findByPoNumber(TENANT, 'PO-1'))?.shipment).toEqual(shipment);
      expect(await due(NOW)).toEqual(['FC1']);
    });

    test('delivered again changes nothing', async () => {
      const shipment = await shipped();
      await store.lease(NOW, NOW + 1000, 10);
      await store.reschedule(shipment, null, 0);
      await store.dispatch(dispatchOf({ at: NOW + 5 }));
      expect(await store.findShipment(TENANT, 'FC1')).toEqual({ ...shipment, isWatched: false });
      expect(await due(NOW + 10_000)).toEqual([]);
    });

    test('under another number replaces what is watched, and does not fall back when the first is delivered again', async () => {
      const first = await shipped();
      await store.record(first, [node(1, 'Delivery Success')], NOW);
      await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', sequence: '2026-11-21T09:00:00.000Z/evt_2', at: NOW + 100 }));
      await store.dispatch(dispatchOf());
      const second = (await store.findShipment(TENANT, 'FC1')) as Shipment;
      expect(second).toMatchObject({ trackingNumber: 'SIM2', publishedStatus: 'Delivery Success', watchedSince: NOW + 100 });
      expect(await store.history(second)).toEqual([]);
      expect(await due(NOW + 100)).toEqual(['FC1']);
      // What was asked about the first parcel comes too late.
      expect((await store.record(first, [node(9, 'Exception')], NOW)).change).toBeUndefined();
      expect(await store.history(second)).toEqual([]);
      await store.record(second, [node(10, 'Picked Up')], NOW);
      expect(await published()).toEqual([
        ['', 'Delivery Success'],
        ['Delivery Success', 'Picked Up'],
      ]);
    });

    test('of the same parcel again changes nothing but what is later than it', async () => {
      const shipment = await shipped();
      await store.dispatch(dispatchOf({ sequence: '2026-11-21T09:00:00.000Z/evt_2', at: NOW + 5 }));
      await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', sequence: '2026-11-21T08:59:59.000Z/evt_3', at: NOW + 9 }));
      expect(await store.findShipment(TENANT, 'FC1')).toEqual(shipment);
    });

    test('before the acceptance makes the forecast known', async () => {
      await store.dispatch(dispatchOf());
      expect(await store.findByPoNumber(TENANT, 'PO-1')).toMatchObject({ forecastNo: 'FC1', shipment: { trackingNumber: 'SIM1' } });
    });
  });
}
