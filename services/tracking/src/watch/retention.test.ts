import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { dispatchOf, NOW, node, shipmentOf, TENANT } from '../testing/samples.ts';
import { openTrackingStore, shipParcel, type TestStore, type TrackingStoreDriver, testStore } from '../testing/tracking-store-driver.ts';
import type { Shipment } from './domain/shipment.ts';
import { expireShipments } from './expire-shipments.ts';

describe('retention', () => {
  let driver: TrackingStoreDriver;
  let store: TestStore;
  beforeEach(() => {
    driver = openTrackingStore();
    store = testStore(driver.store);
  });
  afterEach(() => driver.close());
  const shipped = (forecastNo?: string): Promise<Shipment> => shipParcel(store, forecastNo);

  test('deletes what is over and old, in steps, and nothing else', async () => {
    const over = await shipped('FC1');
    await store.simulate(over, { adminStatus: 'Delivery Success' }, NOW);
    const current = (await store.findShipment(TENANT, 'FC1')) as Shipment;
    await store.respond(current, [node(1, 'Delivery Success')], NOW);
    await store.dispatch(dispatchOf({ forecastNo: 'FC2', poNumber: 'PO-2', trackingNumber: 'SIM2' }));
    expect(await store.purge(NOW, 10)).toBe(0);
    expect(await store.purge(NOW + 1, 10)).toBe(2);
    expect(await store.purge(NOW + 1, 10)).toBe(0);
    expect(await store.findByPoNumber(TENANT, 'PO-1')).toEqual([]);
    expect(await store.history(current)).toEqual([]);
    expect(await store.simulatedNodes(current)).toEqual([]);
    // Still under watch.
    expect(await store.findByPoNumber(TENANT, 'PO-2')).toMatchObject([{ trackingNumber: 'SIM2' }]);
  });

  test('deletes parcels one by one, and their forecast with the last of them', async () => {
    const first = await shipped('FC1');
    await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', sequence: 'b' }));
    await store.dispatch(dispatchOf({ trackingNumber: 'SIM3', sequence: 'c' }));
    const [, second, third] = await store.findShipments(TENANT, 'FC1');
    for (const parcel of [first, second]) await store.reschedule(parcel as Shipment, null, 0);
    expect(await store.purge(NOW + 1, 10)).toBe(2);
    expect(await store.findByPoNumber(TENANT, 'PO-1')).toMatchObject([{ trackingNumber: 'SIM3' }]);
    await store.reschedule(third as Shipment, null, 0);
    expect(await store.purge(NOW + 1, 10)).toBeGreaterThan(0);
    expect(await store.purge(NOW + 1, 10)).toBe(0);
    expect(await store.findByPoNumber(TENANT, 'PO-1')).toEqual([]);
    // A dispatch that is delivered again begins anew.
    await store.dispatch(dispatchOf({ trackingNumber: 'SIM3', sequence: 'c' }));
    expect(await store.findShipments(TENANT, 'FC1')).toMatchObject([{ trackingNumber: 'SIM3', furtherNumber: '' }]);
  });

  test('takes a forecast for old that is to go, with all its parcels', async () => {
    await shipped('FC1');
    await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', sequence: 'b' }));
    await shipped('FC2');
    expect(await store.purge(1, 10)).toBe(0);
    const gone = ['FC1', 'none'].map((forecastNo) => ({ tenantId: TENANT, forecastNo }));
    await store.age([...gone, { tenantId: 'tnt_other', forecastNo: 'FC2' }]);
    expect((await store.ended(1, 10)).items).toHaveLength(2);
    while ((await store.purge(1, 10)) > 0);
    expect(await store.findShipments(TENANT, 'FC1')).toEqual([]);
    expect(await store.findShipments(TENANT, 'FC2')).toHaveLength(1);
  });

  describe('in turns', () => {
    let archived: string[][];
    /** Forecasts that the archive does not take. */
    let bad: string[];
    let logged: object[];
    let counted: string[];
    beforeEach(() => {
      [archived, bad, logged, counted] = [[], [], [], []];
    });

    /** Does a turn, as the only process. @param turn.place where the turn before ended */
    async function expire({ isOver = false, place = '', hasArchive = true } = {}) {
      const turn = { deleted: 0, place };
      const archive = async (tenantId: string, some: readonly Shipment[]): Promise<void> => {
        if (bad.includes('all')) throw AppError.unavailable('The object store is out');
        if (some.some(({ forecastNo }) => bad.includes(forecastNo))) throw new Error('no code of today can read it');
        archived.push([tenantId, ...some.map(({ forecastNo }) => forecastNo)]);
      };
      const options = {
        retention: driver.store,
        clock: new ManualClock(NOW + 1001),
        logger: { ...silentLogger, error: (fields: object) => void logged.push(fields) },
        keepMs: 1000,
        archive: hasArchive ? archive : undefined,
        metrics: { count: (name: string) => void counted.push(name) },
      };
      const renew = async (to = turn.place): Promise<void> => {
        turn.place = to;
      };
      const held = { place, renew, isOver: () => isOver };
      turn.deleted = await expireShipments(options, held);
      return turn;
    }

    /** Parcels that are watched no more, oldest first. */
    async function end(count: number): Promise<string[]> {
      const names = Array.from({ length: count }, (_, index) => `FC${String(index).padStart(4, '0')}`);
      const dispatches = names.map((forecastNo) => dispatchOf({ forecastNo, poNumber: forecastNo }));
      await store.record(dispatches.map((dispatch) => ({ type: 'dispatched', ...dispatch })));
      const given = { nextPollAt: null, failures: 0, now: NOW };
      await store.record(names.map((forecastNo) => ({ type: 'rescheduled', shipment: shipmentOf({ forecastNo }), ...given })));
      return names;
    }
    const left = async () => (await store.ended(NOW + 1, 2000)).items.map(({ value }) => value.forecastNo);

    test('deletes batch by batch, until nothing is left or the work is over', async () => {
      await end(150);
      for (let index = 0; index < 150; index += 1)
        await store.addSimulatedNode({ tenantId: TENANT, trackingNumber: `S${index}` }, { adminStatus: 'In Transit' }, NOW);
      expect(await expire({ isOver: true, hasArchive: false })).toMatchObject({ deleted: 100, place: expect.stringMatching(/./) });
      expect(await expire({ hasArchive: false })).toEqual({ deleted: 200, place: '' });
      expect(await expire({ hasArchive: false })).toEqual({ deleted: 0, place: '' });
    });

    test('archives tenant by tenant what is deleted, and leaves what the archive does not take to the next turn', async () => {
      const names = await end(120);
      await store.dispatch(dispatchOf({ tenantId: 'tnt_b', forecastNo: 'B' }));
      await store.reschedule(shipmentOf({ tenantId: 'tnt_b', forecastNo: 'B' }), null, 0);
      bad = [names[0] as string, names[7] as string];
      expect(await expire()).toEqual({ deleted: 119, place: '' });
      expect(archived.flat()).toEqual(expect.arrayContaining([...names.slice(1, 7), ...names.slice(8)]));
      expect(archived).toContainEqual(['tnt_b', 'B']);
      expect(await left()).toEqual(bad);
      expect(logged).toMatchObject(bad.map((forecast_no) => ({ tenant_id: TENANT, forecast_no })));
      expect(counted).toEqual(Array(2).fill('parcelway_retention_skipped_total'));
      bad = [];
      expect(await expire()).toEqual({ deleted: 2, place: '' });
    });

    test('ends when the archive takes too few, and goes on behind them', async () => {
      const names = await end(1001);
      bad = names.slice(0, 1000);
      const turn = await expire();
      expect([turn.deleted, (await left()).length]).toEqual([0, 1001]);
      expect(await expire(turn)).toEqual({ deleted: 1, place: '' });
    });

    test('keeps everything while the archive is out', async () => {
      const names = await end(3);
      bad = ['all'];
      await expect(expire()).rejects.toMatchObject({ code: '50301' });
      expect(await left()).toEqual(names);
    });
  });
});
