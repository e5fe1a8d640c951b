import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_NODES } from '../../domain/node.ts';
import type { Shipment } from '../../domain/shipment.ts';
import { dispatchOf, NOW, node, TENANT } from '../../testing/samples.ts';
import { type TestStore, type TrackingStoreDriver, testStore } from '../../testing/tracking-store-driver.ts';

/** What happens to one parcel of a forecast leaves the others alone. */
export function describeSiblings(open: () => Promise<TrackingStoreDriver>): void {
  describe('parcels of one forecast', () => {
    let driver: TrackingStoreDriver;
    let store: TestStore;
    beforeEach(async () => {
      driver = await open();
      store = testStore(driver.store);
      for (const number of ['SIM1', 'SIM2', 'SIM3']) await store.dispatch(dispatchOf({ trackingNumber: number, dispatchedAt: NOW - 5 }));
    });
    afterEach(() => driver.close());

    const parcel = async (number: string): Promise<Shipment> => (await store.findShipment(TENANT, 'FC1', number)) as Shipment;
    const historyOf = async (number: string): Promise<string[]> =>
      (await store.history(await parcel(number))).map(({ content }) => content);
    /** Gives each parcel a node that no other one has. */
    async function addNodes(): Promise<void> {
      let seconds = 0;
      for (const number of ['SIM1', 'SIM2', 'SIM3']) {
        seconds += 1;
        await store.record(await parcel(number), [node(seconds)], NOW);
      }
    }
    const own = { SIM1: ['seen after 1 s'], SIM2: ['seen after 2 s'], SIM3: ['seen after 3 s'] };
    const histories = async () => ({ SIM1: await historyOf('SIM1'), SIM2: await historyOf('SIM2'), SIM3: await historyOf('SIM3') });

    test.each(['SIM1', 'SIM2'] as const)('%s under another carrier begins its own history again, and no other', async (number) => {
      await addNodes();
      await store.dispatch(dispatchOf({ trackingNumber: number, carrierCode: 'other', sequence: 'z' }));
      expect(await histories()).toEqual({ ...own, [number]: [] });
    });

    test.each(['SIM1', 'SIM3'] as const)('%s drops its own oldest nodes when it has too many, and no other', async (number) => {
      await addNodes();
      const many = Array.from({ length: MAX_NODES }, (_none, index) => node(100 + index));
      await store.record(await parcel(number), many, NOW);
      const full = await histories();
      expect(full[number]).toHaveLength(MAX_NODES);
      expect(full[number]).not.toContain(own[number][0]);
      expect({ ...full, [number]: own[number] }).toEqual(own);
    });

    test.each(['SIM1', 'SIM2'] as const)('%s is deleted with its own nodes, and no other', async (number) => {
      await addNodes();
      await store.reschedule(await parcel(number), null, 0);
      await driver.emptyOutbox();
      expect(await store.purge(NOW + 1, 10)).toBe(1);
      const left = (['SIM1', 'SIM2', 'SIM3'] as const).filter((one) => one !== number);
      expect((await store.findShipments(TENANT, 'FC1')).map(({ trackingNumber }) => trackingNumber)).toEqual(left);
      for (const one of left) expect(await historyOf(one)).toEqual(own[one]);
    });

    test('are leased, rescheduled and woken one by one', async () => {
      const [first] = await store.lease(NOW, NOW + 1000, 1);
      const others = await store.lease(NOW, NOW + 1000, 10);
      expect([first, ...others].map((one) => one?.trackingNumber).sort()).toEqual(['SIM1', 'SIM2', 'SIM3']);
      expect(others).toHaveLength(2);
      await store.reschedule(others[0] as Shipment, NOW + 50, 2);
      expect((await store.lease(NOW + 60, NOW + 2000, 10)).map(({ trackingNumber }) => trackingNumber)).toEqual([
        others[0]?.trackingNumber,
      ]);
      const failures = await Promise.all(['SIM1', 'SIM2', 'SIM3'].map(async (number) => (await parcel(number)).failures));
      expect(failures.sort()).toEqual([0, 0, 2]);
    });

    test('that was deleted, and whose forecast got another first parcel, takes no late response', async () => {
      const gone = await parcel('SIM1');
      await store.reschedule(gone, null, 0);
      await driver.emptyOutbox();
      await store.purge(NOW + 1, 10);
      await store.dispatch(dispatchOf({ trackingNumber: 'SIM4', sequence: 'b' }));
      expect(await parcel('SIM4')).toMatchObject({ furtherNumber: null, watch: gone.watch });
      await store.record(gone, [node(9, 'Delivery Success')], NOW);
      await store.reschedule(gone, null, 0);
      expect(await historyOf('SIM4')).toEqual([]);
      expect(await parcel('SIM4')).toMatchObject({ publishedStatus: '', isWatched: true });
    });

    test('the last of which is deleted while a further one is dispatched is not lost', async () => {
      for (const number of ['SIM1', 'SIM2', 'SIM3']) await store.reschedule(await parcel(number), null, 0);
      await driver.emptyOutbox();
      const dispatchLate = store.dispatch(dispatchOf({ trackingNumber: 'SIM9', sequence: 'y' }));
      await Promise.all([store.purge(NOW + 1, 10), dispatchLate, store.purge(NOW + 1, 10)]);
      while ((await store.purge(NOW + 1, 10)) > 0);
      expect((await store.findShipments(TENANT, 'FC1')).map(({ trackingNumber }) => trackingNumber)).toEqual(['SIM9']);
    });
  });
}
