import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TrackingStoreDriver } from '../testing/tracking-store-driver.ts';
import { describeChanges } from './conformance/changes.conformance.ts';
import { describeDispatch } from './conformance/dispatch.conformance.ts';
import { describeForecasts } from './conformance/forecasts.conformance.ts';
import { describeHistory } from './conformance/history.conformance.ts';
import { describePollQueue } from './conformance/poll-queue.conformance.ts';
import { describeRandomFacts } from './conformance/random-facts.conformance.ts';
import { describeRetention } from './conformance/retention.conformance.ts';
import { describeSiblings } from './conformance/siblings.conformance.ts';
import { describeSimulation } from './conformance/simulation.conformance.ts';
import { describeSources } from './conformance/sources.conformance.ts';
import { describeTelemetry } from './conformance/telemetry.conformance.ts';

/**
 * What every driver of the tracking store must do.
 * @param open a driver with an empty store
 */
export function describeTrackingStore(name: string, open: () => Promise<TrackingStoreDriver>): void {
  describe(`tracking store: ${name}`, () => {
    describeForecasts(open);
    describeDispatch(open);
    describeSiblings(open);
    describeHistory(open);
    describeChanges(open);
    describePollQueue(open);
    describeSimulation(open);
    describeRetention(open);
    describeTelemetry(open);
    describeSources(open);
    describeRandomFacts(open);

    describe('the check', () => {
      let driver: TrackingStoreDriver;
      beforeEach(async () => {
        driver = await open();
      });
      afterEach(() => driver.close());

      test('passes while the store responds', async () => {
        await expect(driver.store.check()).resolves.toBeUndefined();
      });
    });
  });
}
