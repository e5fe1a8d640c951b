import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_NODES, nodeInstant } from '../../domain/node.ts';
import type { Shipment } from '../../domain/shipment.ts';
import { NOW, node } from '../../testing/samples.ts';
import { shipParcel, type TestStore, type TrackingStoreDriver, testStore } from '../../testing/tracking-store-driver.ts';

/** How nodes become a history. */
export function describeHistory(open: () => Promise<TrackingStoreDriver>): void {
  describe('history', () => {
    let driver: TrackingStoreDriver;
    let store: TestStore;
    beforeEach(async () => {
      driver = await open();
      store = testStore(driver.store);
    });
    afterEach(() => driver.close());
    const shipped = (forecastNo?: string): Promise<Shipment> => shipParcel(store, forecastNo);

    test('is newest first by instant in whatever pieces and order it came, without repeats', async () => {
      const piece = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 });
      let forecasts = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
          forecasts += 1;
          const shipment = await shipped(`FC-${forecasts}`);
          for (const seconds of pieces)
            await store.record(
              shipment,
              seconds.map((second) => node(second)),
              NOW,
            );
          const seen = [...new Set(pieces.flat())].sort((a, b) => b - a);
          expect((await store.history(shipment)).map((entry) => (nodeInstant(entry) - NOW) / 1000)).toEqual(seen);
        }),
        { numRuns: 25 },
      );
    });

    test('puts the node seen last first among those of one instant', async () => {
      const shipment = await shipped();
      await store.record(shipment, [node(5, 'In Transit'), node(5, 'In Delivery')], NOW);
      await store.record(shipment, [node(5, 'Delivery Success')], NOW);
      expect((await store.history(shipment)).map((entry) => entry.adminStatus)).toEqual(['Delivery Success', 'In Delivery', 'In Transit']);
    });

    test('is bounded', async () => {
      const shipment = await shipped();
      await store.record(
        shipment,
        Array.from({ length: MAX_NODES }, (_, index) => node(index)),
        NOW,
      );
      await store.record(shipment, [node(MAX_NODES), node(MAX_NODES + 1)], NOW);
      const history = await store.history(shipment);
      expect(history).toHaveLength(MAX_NODES);
      expect(history[0]).toEqual(node(MAX_NODES + 1));
    });
  });
}
