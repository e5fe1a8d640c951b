import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_PARCELS } from '../../domain/parcel-state.ts';
import type { Shipment } from '../../domain/shipment.ts';
import { dispatchOf, NOW, node, TENANT } from '../../testing/samples.ts';
import {
  leaseNumbers,
  publishedChanges,
  publishedEvents,
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
      expect((await store.findByPoNumber(TENANT, 'PO-1'))?.shipments).toEqual([shipment]);
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

    test('under another number is a further parcel with a history of its own', async () => {
      const first = await shipped();
      await store.record(first, [node(1, 'Delivery Success')], NOW);
      const later = { sequence: '2026-11-21T09:00:00.000Z/evt_2', at: NOW + 100 };
      await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', ...later }));
      await store.dispatch(dispatchOf());
      await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', ...later }));
      const both = await store.findShipments(TENANT, 'FC1');
      expect(both).toMatchObject([
        { trackingNumber: 'SIM1', furtherNumber: null, publishedStatus: 'Delivery Success' },
        { trackingNumber: 'SIM2', furtherNumber: 'SIM2', publishedStatus: '', watchedSince: NOW + 100 },
      ]);
      expect((await store.findByPoNumber(TENANT, 'PO-1'))?.shipments).toEqual(both);
      const second = both[1] as Shipment;
      expect(await due(NOW + 100)).toEqual(['FC1']);
      await store.record(second, [node(10, 'Picked Up')], NOW);
      expect(await store.history(first)).toEqual([node(1, 'Delivery Success')]);
      expect(await store.history(second)).toEqual([node(10, 'Picked Up')]);
      expect(await store.findByNumber('SIM2', 10)).toMatchObject([{ trackingNumber: 'SIM2', forecastNo: 'FC1' }]);
      expect((await publishedEvents(driver)).map(({ data }) => [data.tracking_number, data.previous_admin_status])).toEqual([
        ['SIM1', ''],
        ['SIM2', ''],
      ]);
    });

    test('of a parcel that is polled leaves the poll of another parcel alone', async () => {
      await shipped();
      await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', sequence: 'b' }));
      const [first, second] = await store.lease(NOW, NOW + 1000, 10);
      expect([first?.trackingNumber, second?.trackingNumber].sort()).toEqual(['SIM1', 'SIM2']);
      await store.reschedule(first as Shipment, NOW + 50, 0);
      expect((await store.lease(NOW + 60, NOW + 2000, 10)).map(({ trackingNumber }) => trackingNumber)).toEqual([first?.trackingNumber]);
    });

    test('is watched for at most 50 parcels of a forecast', async () => {
      for (let parcel = 1; parcel <= MAX_PARCELS + 1; parcel += 1) {
        await store.dispatch(dispatchOf({ trackingNumber: `SIM${parcel}`, at: NOW + parcel }));
      }
      const found = await store.findShipments(TENANT, 'FC1');
      expect(found).toHaveLength(MAX_PARCELS);
      expect(found.at(-1)?.trackingNumber).toBe(`SIM${MAX_PARCELS}`);
    });

    test('that names another carrier begins the history again, and does not fall back when the first is delivered again', async () => {
      const first = await shipped();
      await store.record(first, [node(1, 'Delivery Success')], NOW);
      await store.dispatch(dispatchOf({ carrierCode: 'other', sequence: '2026-11-21T09:00:00.000Z/evt_2', at: NOW + 100 }));
      await store.dispatch(dispatchOf());
      const second = (await store.findShipment(TENANT, 'FC1')) as Shipment;
      expect(second).toMatchObject({ carrierCode: 'other', publishedStatus: '', watchedSince: NOW + 100 });
      expect(await store.history(second)).toEqual([]);
      expect(await due(NOW + 100)).toEqual(['FC1']);
      // What the first carrier was asked for comes too late.
      expect((await store.record(first, [node(9, 'Exception')], NOW)).change).toBeUndefined();
      expect(await store.history(second)).toEqual([]);
      await store.record(second, [node(10, 'Picked Up')], NOW);
      expect(await published()).toEqual([
        ['', 'Delivery Success'],
        ['', 'Picked Up'],
      ]);
    });

    test('of the same parcel again changes nothing but what is later than it', async () => {
      const shipment = await shipped();
      await store.dispatch(dispatchOf({ sequence: '2026-11-21T09:00:00.000Z/evt_2', at: NOW + 5 }));
      await store.dispatch(dispatchOf({ carrierCode: 'other', sequence: '2026-11-21T08:59:59.000Z/evt_3', at: NOW + 9 }));
      expect(await store.findShipment(TENANT, 'FC1')).toEqual(shipment);
    });

    test('before the acceptance makes the forecast known', async () => {
      await store.dispatch(dispatchOf());
      expect(await store.findByPoNumber(TENANT, 'PO-1')).toMatchObject({ forecastNo: 'FC1', shipments: [{ trackingNumber: 'SIM1' }] });
    });
  });
}
