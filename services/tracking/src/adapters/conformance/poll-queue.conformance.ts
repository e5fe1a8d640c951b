import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Shipment } from '../../domain/shipment.ts';
import { dispatchOf, NOW } from '../../testing/samples.ts';
import { leaseNumbers, shipParcel, type TestStore, type TrackingStoreDriver, testStore } from '../../testing/tracking-store-driver.ts';

/** How due shipments are leased and rescheduled. */
export function describePollQueue(open: () => Promise<TrackingStoreDriver>): void {
  describe('queue', () => {
    let driver: TrackingStoreDriver;
    let store: TestStore;
    beforeEach(async () => {
      driver = await open();
      store = testStore(driver.store);
    });
    afterEach(() => driver.close());
    const shipped = (forecastNo?: string): Promise<Shipment> => shipParcel(store, forecastNo);
    const due = (now: number): Promise<string[]> => leaseNumbers(store, now);

    test('gives a shipment to one at a time, and again when the lease is over', async () => {
      await shipped();
      const taken = await Promise.all([store.lease(NOW, NOW + 1000, 10), store.lease(NOW, NOW + 1000, 10)]);
      expect(taken.flat()).toHaveLength(1);
      expect(await due(NOW + 999)).toEqual([]);
      expect(await due(NOW + 1000)).toEqual(['FC1']);
    });

    test('gives what has been due longest first, at most the limit', async () => {
      for (const [forecastNo, at] of [
        ['FC1', NOW + 3],
        ['FC2', NOW + 1],
        ['FC3', NOW + 2],
      ] as const) {
        await store.dispatch(dispatchOf({ forecastNo, at }));
      }
      expect((await store.lease(NOW + 5, NOW + 5 + 1000, 2)).map((shipment) => shipment.forecastNo)).toEqual(['FC2', 'FC3']);
      expect(await due(NOW + 5)).toEqual(['FC1']);
    });

    test('takes a shipment back with its next time and its failures, or for good', async () => {
      const shipment = await shipped();
      await store.lease(NOW, NOW + 60_000, 10);
      await store.reschedule(shipment, NOW + 500, 3);
      expect(await due(NOW + 499)).toEqual([]);
      expect((await store.lease(NOW + 500, NOW + 500 + 60_000, 10)).map(({ failures }) => failures)).toEqual([3]);
      await store.reschedule(shipment, null, 0);
      expect(await due(NOW + 10_000_000)).toEqual([]);
    });
  });
}
