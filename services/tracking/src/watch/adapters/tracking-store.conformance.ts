import { describe, expect, test } from '@jest/globals';
import type { TrackingStoreDriver } from '../../testing/tracking-store-driver.ts';
import { describeParcels } from './conformance/parcels.conformance.ts';
import { describeRandomFacts } from './conformance/random-facts.conformance.ts';
import { describeRetention } from './conformance/retention.conformance.ts';

/**
 * What every driver of the tracking store must do.
 * @param open a driver with an empty store
 */
export function describeTrackingStore(name: string, open: () => Promise<TrackingStoreDriver>): void {
  describe(`tracking store: ${name}`, () => {
    describeParcels(open);
    describeRetention(open);
    describeRandomFacts(open);

    test('the check passes while the store responds', async () => {
      const driver = await open();
      await expect(driver.store.check()).resolves.toBeUndefined();
      await driver.close();
    });
  });
}
