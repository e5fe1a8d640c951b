import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { UndatedRow } from '../../domain/parcel-state.ts';
import { dispatchOf, NOW, node, TENANT } from '../../testing/samples.ts';
import { type TestStore, type TrackingStoreDriver, testStore } from '../../testing/tracking-store-driver.ts';

const row = (status: string): UndatedRow => ({ address: 'Shenzhen', content: 'no time', status, adminStatus: 'In Transit' });

/** What a store keeps of a source. */
export function describeSources(open: () => Promise<TrackingStoreDriver>): void {
  describe('what a source reports', () => {
    let driver: TrackingStoreDriver;
    let store: TestStore;
    beforeEach(async () => {
      driver = await open();
      store = testStore(driver.store);
      await store.dispatch(dispatchOf());
    });
    afterEach(() => driver.close());

    const shipped = async () => {
      const shipment = await store.findShipment(TENANT, 'FC1');
      if (shipment === undefined) throw new Error('There is no shipment');
      return shipment;
    };
    const undated = async (): Promise<readonly UndatedRow[]> => {
      let rows: readonly UndatedRow[] = [];
      const read: Parameters<typeof driver.store.change>[1] = (known) => {
        rows = known({ tenantId: TENANT, forecastNo: 'FC1', furtherNumber: null })?.shipment?.undated ?? [];
        return { writes: [], outcomes: [] };
      };
      await driver.store.change([{ tenantId: TENANT, forecastNo: 'FC1', furtherNumber: null, withHistory: false }], read, true);
      return rows;
    };

    test('is kept with the parcel: when, its registration, and rows without a time, which no history shows', async () => {
      const registration = { connectionId: 'con_a', reference: 'r1', at: NOW, isTaken: true };
      const report = { undated: [row('A'), row('B')], registration };
      await store.facts([{ type: 'response', shipment: await shipped(), nodes: [], now: NOW + 5, report }]);
      expect(await shipped()).toMatchObject({ askedAt: NOW + 5, registration });
      expect(await undated()).toEqual([row('A'), row('B')]);
      expect(await store.history(await shipped())).toEqual([]);
      await store.facts([{ type: 'response', shipment: await shipped(), nodes: [], now: NOW + 9, report: { undated: [] } }]);
      expect(await shipped()).toMatchObject({ askedAt: NOW + 9, registration });
      expect(await undated()).toEqual([]);
    });

    test('the details of its dispatch are kept, and gone once the watch has ended', async () => {
      await store.dispatch(dispatchOf({ forecastNo: 'FC4', poNumber: 'PO-4', sealedDetails: 's1.k.AAAA' }));
      const found = async () => (await store.findShipment(TENANT, 'FC4'))?.sealedDetails;
      expect(await found()).toBe('s1.k.AAAA');
      const shipment = await store.findShipment(TENANT, 'FC4');
      if (shipment === undefined) throw new Error('There is no shipment');
      await store.reschedule(shipment, null, 0);
      expect(await found()).toBeNull();
    });

    test('a question is noted once in its gap, whoever asks', async () => {
      const shipment = await shipped();
      const ask = async (now: number) => (await store.facts([{ type: 'asked', shipment, now, gapMs: 100 }]))[0]?.isChanged;
      expect([await ask(NOW), await ask(NOW + 99), await ask(NOW + 100)]).toEqual([true, false, true]);
      expect(await shipped()).toMatchObject({ askedAt: NOW + 100 });
    });

    test('a time whose zone is assumed stays so', async () => {
      const assumed = node(1, 'In Transit', { timeAssumed: true });
      await store.record(await shipped(), [assumed, node(2)], NOW);
      expect(await store.history(await shipped())).toEqual([node(2), assumed]);
    });

    test('parcels are found by their number, the newest first, and no more than asked for', async () => {
      await store.dispatch(dispatchOf({ forecastNo: 'FC2', poNumber: 'PO-2', at: NOW + 1 }));
      await store.dispatch(dispatchOf({ forecastNo: 'FC3', poNumber: 'PO-3', at: NOW + 2, trackingNumber: 'SIM2' }));
      const found = async (limit: number) => (await store.findByNumber('SIM1', limit)).map(({ forecastNo }) => forecastNo);
      expect(await found(10)).toEqual(['FC2', 'FC1']);
      expect(await found(1)).toEqual(['FC2']);
      expect(await store.findByNumber('sim1', 10)).toEqual([]);
      await store.reschedule(await shipped(), null, 0);
      expect(await found(10)).toEqual(['FC2']);
    });
  });
}
