import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { acceptedForecast, NOW, TENANT } from '../../testing/samples.ts';
import { type TestStore, type TrackingStoreDriver, testStore } from '../../testing/tracking-store-driver.ts';

/** How forecasts are found. */
export function describeForecasts(open: () => Promise<TrackingStoreDriver>): void {
  describe('forecasts', () => {
    let driver: TrackingStoreDriver;
    let store: TestStore;
    beforeEach(async () => {
      driver = await open();
      store = testStore(driver.store);
    });
    afterEach(() => driver.close());

    test('are found by po_number, of their tenant only', async () => {
      await store.accept(acceptedForecast());
      expect(await store.findByPoNumber(TENANT, 'PO-1')).toEqual({ forecastNo: 'FC1', isCancelled: false, shipments: [] });
      expect(await store.findByPoNumber(TENANT, 'po-1')).toBeUndefined();
      expect(await store.findByPoNumber('tnt_b', 'PO-1')).toBeUndefined();
    });

    test('the new one is found after cancellation and resubmission, in whatever order the events come, and however often', async () => {
      const steps = {
        first: () => store.accept(acceptedForecast()),
        cancelled: () => store.cancel({ tenantId: TENANT, forecastNo: 'FC1', poNumber: 'PO-1' }, NOW + 1),
        second: () => store.accept(acceptedForecast({ forecastNo: 'FC2', forecastId: 2, acceptedAt: NOW + 2 })),
      };
      const orders = fc.shuffledSubarray(['first', 'cancelled', 'second', 'first', 'cancelled', 'second'] as const, { minLength: 6 });
      await fc.assert(
        fc.asyncProperty(orders, async (order) => {
          for (const step of order) await steps[step]();
          expect(await store.findByPoNumber(TENANT, 'PO-1')).toMatchObject({ forecastNo: 'FC2', isCancelled: false });
        }),
        { numRuns: 20 },
      );
    });

    test('a cancelled one stays known, even if the cancellation comes first', async () => {
      await store.cancel({ tenantId: TENANT, forecastNo: 'FC1', poNumber: 'PO-1' }, NOW);
      await store.accept(acceptedForecast());
      expect(await store.findByPoNumber(TENANT, 'PO-1')).toMatchObject({ forecastNo: 'FC1', isCancelled: true });
    });
  });
}
