import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import type { Shipment } from '../../domain/shipment.ts';
import { dispatchOf, NOW, node, TENANT, traceOf } from '../../testing/samples.ts';
import { type TestStore, type TrackingStoreDriver, testStore } from '../../testing/tracking-store-driver.ts';

/** What is seen of a store from outside: the traces of its events, and how far the polls are behind. */
export function describeTelemetry(open: () => Promise<TrackingStoreDriver>): void {
  describe('telemetry', () => {
    let driver: TrackingStoreDriver;
    let store: TestStore;
    beforeEach(async () => {
      driver = await open();
      store = testStore(driver.store);
    });
    afterEach(() => driver.close());

    const shipped = async (given: Parameters<typeof dispatchOf>[0] = {}): Promise<Shipment> => {
      const dispatch = dispatchOf(given);
      await store.dispatch(dispatch);
      return (await store.findShipment(TENANT, dispatch.forecastNo)) as Shipment;
    };

    test('an event belongs to the trace of what had the carrier asked, and to none when that has none', async () => {
      const shipment = await shipped();
      await store.record(shipment, [node(1, 'Picked Up')], NOW, traceOf(1));
      await store.record(shipment, [node(2, 'In Transit')], NOW);
      await store.record(shipment, [node(3, 'In Delivery')], NOW, traceOf(2));
      expect((await driver.published()).map((value) => decodeEvent(value).traceparent)).toEqual([traceOf(1), undefined, traceOf(2)]);
    });

    test('a shipment is taken with the time at which it was due', async () => {
      await shipped({ at: NOW - 3000 });
      expect((await store.lease(NOW, NOW + 1000, 10)).map(({ dueAt }) => dueAt)).toEqual([NOW - 3000]);
      // Whoever held it is gone; it is as late as it is.
      const [again] = await store.lease(NOW + 1000, NOW + 1000 + 1000, 10);
      expect(again?.dueAt).toBe(NOW - 3000);
      await store.reschedule(again as Shipment, NOW + 5000, 0);
      expect((await store.lease(NOW + 6000, NOW + 6000 + 1000, 10)).map(({ dueAt }) => dueAt)).toEqual([NOW + 5000]);
    });

    test('what is due is counted with the time of the first, whether it is being polled or not', async () => {
      expect(await store.overdue(NOW)).toEqual({ count: 0, oldestDueAt: null });
      for (const [index, at] of [NOW - 20, NOW - 30, NOW, NOW + 1].entries()) await shipped({ forecastNo: `FC${index}`, at });
      expect(await store.overdue(NOW)).toEqual({ count: 3, oldestDueAt: NOW - 30 });
      const [first] = await store.lease(NOW, NOW + 1000, 1);
      expect(await store.overdue(NOW)).toEqual({ count: 3, oldestDueAt: NOW - 30 });
      await store.reschedule(first as Shipment, NOW + 60_000, 0);
      expect(await store.overdue(NOW)).toEqual({ count: 2, oldestDueAt: NOW - 20 });
      await store.reschedule((await store.findShipment(TENANT, 'FC0')) as Shipment, null, 0);
      expect(await store.overdue(NOW)).toEqual({ count: 1, oldestDueAt: NOW });
    });
  });
}
