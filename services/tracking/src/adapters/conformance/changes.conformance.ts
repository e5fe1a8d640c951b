import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import fc from 'fast-check';
import { MAX_NODES } from '../../domain/node.ts';
import type { Shipment } from '../../domain/shipment.ts';
import { NOW, node, TENANT } from '../../testing/samples.ts';
import {
  leaseNumbers,
  publishedChanges,
  publishedEvents,
  shipParcel,
  type TestStore,
  type TrackingStoreDriver,
  testStore,
} from '../../testing/tracking-store-driver.ts';

/** Which changes are published, and what they do to the watch. */
export function describeChanges(open: () => Promise<TrackingStoreDriver>): void {
  describe('changes', () => {
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

    test('are published when the newest admin_status differs, with the state of the watch', async () => {
      const shipment = await shipped();
      expect(await store.record(shipment, [node(1)], NOW + 1)).toEqual({
        change: { previous: '', current: 'In Transit', isTerminal: false },
        latestStatus: 'In Transit',
        isChanged: true,
        hasNewNodes: true,
      });
      expect((await publishedEvents(driver))[0]).toMatchObject({
        type: 'tracking.changed',
        source: '/services/tracking',
        subject: 'FC1',
        tenantid: TENANT,
        environment: 'sandbox',
        data: { forecast_no: 'FC1', po_number: 'PO-1', previous_admin_status: '', admin_status: 'In Transit', is_terminal: false },
      });
    });

    test('are not published for a further node of the same status, nor for a late older one', async () => {
      const shipment = await shipped();
      await store.record(shipment, [node(10)], NOW);
      await store.record(shipment, [node(11)], NOW);
      expect(await store.record(shipment, [node(1, 'Delivery Failure')], NOW)).toEqual({
        change: undefined,
        latestStatus: 'In Transit',
        isChanged: true,
        hasNewNodes: true,
      });
      expect(await published()).toEqual([['', 'In Transit']]);
      expect((await store.history(shipment))[0]).toEqual(node(11));
    });

    test('are published once, however many record at the same time', async () => {
      const shipment = await shipped();
      const story = [node(1, 'Picked Up'), node(2, 'In Transit'), node(3, 'In Delivery')];
      await Promise.all(Array.from({ length: 20 }, (_, index) => store.record(shipment, story.slice(0, 1 + (index % 3)), NOW)));
      const changes = await published();
      expect(changes.at(-1)?.[1]).toBe('In Delivery');
      expect(new Set(changes.map(([, current]) => current)).size).toBe(changes.length);
    });

    test('chain: each begins where the one before ended, whatever comes in', async () => {
      const status = fc.constantFrom<AdminStatus>('In Transit', 'In Delivery', 'Delivery Success', 'Returning');
      let forecasts = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), status), { maxLength: 12 }), async (arrivals) => {
          forecasts += 1;
          const shipment = await shipped(`FC-${forecasts}`);
          const before = (await published()).length;
          for (const [second, adminStatus] of arrivals) await store.record(shipment, [node(second, adminStatus)], NOW);
          const changes = (await published()).slice(before);
          changes.forEach(([previous, current], index) => {
            expect(previous).toBe(changes[index - 1]?.[1] ?? '');
            expect(current).not.toBe(previous);
          });
          expect(changes.at(-1)?.[1] ?? '').toBe((await store.history(shipment))[0]?.adminStatus ?? '');
        }),
        { numRuns: 25 },
      );
    });

    test('a final status ends the watch; a correction of it is published and resumes the watch', async () => {
      const shipment = await shipped();
      expect((await store.record(shipment, [node(1, 'Delivery Failure')], NOW)).change?.isTerminal).toBe(true);
      expect(await due(NOW + 10_000)).toEqual([]);
      await store.record(shipment, [node(2, 'In Delivery')], NOW + 20_000);
      expect(await published()).toEqual([
        ['', 'Delivery Failure'],
        ['Delivery Failure', 'In Delivery'],
      ]);
      expect(await due(NOW + 20_000)).toEqual(['FC1']);
    });
    test('a resumed watch goes on, although a poll begun before gives it back for good', async () => {
      const shipment = await shipped();
      await store.lease(NOW, NOW + 60_000, 10);
      await store.record(shipment, [node(1, 'Delivery Failure')], NOW);
      const asked = (await store.findShipment(TENANT, 'FC1')) as Shipment;
      await store.record(asked, [node(2, 'In Delivery')], NOW + 1);
      await store.reschedule(shipment, null, 0);
      expect(await due(NOW + 60_000)).toEqual(['FC1']);
    });

    test('are not published again for nodes that a full history has dropped', async () => {
      const shipment = await shipped();
      const full = Array.from({ length: MAX_NODES }, (_, index) => node(index + 1));
      await store.record(shipment, full, NOW);
      expect(await store.record(shipment, [node(0, 'Picked Up'), ...full], NOW)).toEqual({
        change: undefined,
        latestStatus: 'In Transit',
        isChanged: false,
      });
      expect(await store.history(shipment)).toEqual(full.reverse());
    });
  });
}
