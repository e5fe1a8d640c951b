import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { Shipment } from '../../domain/shipment.ts';
import { NOW, node } from '../../testing/samples.ts';
import { leaseNumbers, shipParcel, type TestStore, type TrackingStoreDriver, testStore } from '../../testing/tracking-store-driver.ts';

/** The simulated carrier of the sandbox. */
export function describeSimulation(open: () => Promise<TrackingStoreDriver>): void {
  describe('simulation', () => {
    let driver: TrackingStoreDriver;
    let store: TestStore;
    beforeEach(async () => {
      driver = await open();
      store = testStore(driver.store);
    });
    afterEach(() => driver.close());
    const shipped = (forecastNo?: string): Promise<Shipment> => shipParcel(store, forecastNo);
    const due = (now: number): Promise<string[]> => leaseNumbers(store, now);

    test('makes the shipment due at once, and keeps it due if it was being polled', async () => {
      const shipment = await shipped();
      await store.lease(NOW, NOW + 60_000, 10);
      await store.simulate(shipment, { adminStatus: 'In Transit' }, NOW + 1);
      await store.record(shipment, [node(1, 'Delivery Success')], NOW + 2);
      await store.reschedule(shipment, NOW + 1_000_000, 0);
      expect(await due(NOW + 2)).toEqual(['FC1']);
    });

    test('dates the nodes of one second one after the other', async () => {
      const shipment = await shipped();
      const statuses: AdminStatus[] = ['Picked Up', 'In Transit', 'In Delivery'];
      for (const adminStatus of statuses) await store.simulate(shipment, { adminStatus }, NOW);
      const nodes = await store.simulatedNodes(shipment);
      expect(nodes.map(({ adminStatus }) => adminStatus)).toEqual(statuses);
      expect(nodes.map(({ createTime }) => createTime)).toEqual(['2026-11-21 16:00:00', '2026-11-21 16:00:01', '2026-11-21 16:00:02']);
      expect(nodes[0]).toMatchObject({ orderNo: 'SIM1', times: '(GMT+08:00)', status: 'Picked Up' });
    });

    test('keeps the parcels of two tenants apart that share a number', async () => {
      const shipment = await shipped();
      await store.simulate(shipment, { adminStatus: 'In Transit' }, NOW);
      expect(await store.simulatedNodes({ tenantId: 'tnt_b', trackingNumber: 'SIM1' })).toEqual([]);
    });
  });
}
