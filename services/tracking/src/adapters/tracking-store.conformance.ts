import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import fc from 'fast-check';
import { MAX_NODES, nodeInstant } from '../domain/node.ts';
import type { Shipment } from '../domain/shipment.ts';
import type { TrackingStore } from '../ports.ts';
import { acceptedForecast, dispatchOf, NOW, node, TENANT } from '../testing/samples.ts';
import { describeTelemetry, type TrackingStoreDriver } from './tracking-store-telemetry.conformance.ts';

/**
 * What every driver of the tracking store must do.
 * @param open a driver with an empty store, of the sandbox
 */
export function describeTrackingStore(name: string, open: () => Promise<TrackingStoreDriver>): void {
  describe(`tracking store: ${name}`, () => {
    let driver: TrackingStoreDriver;
    let store: TrackingStore;
    beforeEach(async () => {
      driver = await open();
      store = driver.store;
    });
    afterEach(() => driver.close());

    const shipped = async (forecastNo = 'FC1'): Promise<Shipment> => {
      await store.accept(acceptedForecast({ forecastNo }));
      await store.dispatch(dispatchOf({ forecastNo }));
      return (await store.findShipment(TENANT, forecastNo)) as Shipment;
    };
    const published = async (): Promise<DomainEvent<'tracking.changed'>[]> =>
      (await driver.published()).map((value) => decodeEvent(value) as DomainEvent<'tracking.changed'>);
    const told = async (): Promise<[string, string][]> =>
      (await published()).map(({ data }) => [data.previous_admin_status, data.admin_status]);
    const due = async (now: number): Promise<string[]> => (await store.lease(now, 1000, 100)).map((shipment) => shipment.forecastNo);

    describe('forecasts', () => {
      test('are found by po_number, of their tenant only', async () => {
        await store.accept(acceptedForecast());
        expect(await store.findByPoNumber(TENANT, 'PO-1')).toEqual({ forecastNo: 'FC1', isCancelled: false, shipment: null });
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

    describe('dispatch', () => {
      test('puts the parcel under watch, due at once', async () => {
        const shipment = await shipped();
        expect(shipment).toMatchObject({ carrierCode: 'sim', trackingNumber: 'SIM1', watchedSince: NOW, publishedStatus: '', failures: 0 });
        expect((await store.findByPoNumber(TENANT, 'PO-1'))?.shipment).toEqual(shipment);
        expect(await due(NOW)).toEqual(['FC1']);
      });

      test('delivered again changes nothing', async () => {
        const shipment = await shipped();
        await store.lease(NOW, 1000, 10);
        await store.reschedule(shipment, null, 0);
        await store.dispatch(dispatchOf({ at: NOW + 5 }));
        expect(await store.findShipment(TENANT, 'FC1')).toEqual(shipment);
        expect(await due(NOW + 10_000)).toEqual([]);
      });

      test('under another number replaces what is watched, and does not fall back when the first is delivered again', async () => {
        const first = await shipped();
        await store.record(first, [node(1, 'Delivery Success')], NOW);
        await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', sequence: '2026-11-21T09:00:00.000Z/evt_2', at: NOW + 100 }));
        await store.dispatch(dispatchOf());
        const second = (await store.findShipment(TENANT, 'FC1')) as Shipment;
        expect(second).toMatchObject({ trackingNumber: 'SIM2', publishedStatus: 'Delivery Success', watchedSince: NOW + 100 });
        expect(await store.history(second)).toEqual([]);
        expect(await due(NOW + 100)).toEqual(['FC1']);
        // What was asked about the first parcel comes too late.
        expect((await store.record(first, [node(9, 'Exception')], NOW)).change).toBeUndefined();
        expect(await store.history(second)).toEqual([]);
        await store.record(second, [node(10, 'Picked Up')], NOW);
        expect(await told()).toEqual([
          ['', 'Delivery Success'],
          ['Delivery Success', 'Picked Up'],
        ]);
      });

      test('of the same parcel again changes nothing but what is later than it', async () => {
        const shipment = await shipped();
        await store.dispatch(dispatchOf({ sequence: '2026-11-21T09:00:00.000Z/evt_2', at: NOW + 5 }));
        await store.dispatch(dispatchOf({ trackingNumber: 'SIM2', sequence: '2026-11-21T08:59:59.000Z/evt_3', at: NOW + 9 }));
        expect(await store.findShipment(TENANT, 'FC1')).toEqual(shipment);
      });

      test('before the acceptance makes the forecast known', async () => {
        await store.dispatch(dispatchOf());
        expect(await store.findByPoNumber(TENANT, 'PO-1')).toMatchObject({ forecastNo: 'FC1', shipment: { trackingNumber: 'SIM1' } });
      });
    });

    describe('history', () => {
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
        expect((await store.history(shipment)).map((entry) => entry.adminStatus)).toEqual([
          'Delivery Success',
          'In Delivery',
          'In Transit',
        ]);
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

    describe('changes', () => {
      test('are told when the newest admin_status differs, with the state of the watch', async () => {
        const shipment = await shipped();
        expect(await store.record(shipment, [node(1)], NOW + 1)).toEqual({
          change: { previous: '', current: 'In Transit', isTerminal: false },
          latestStatus: 'In Transit',
        });
        expect((await published())[0]).toMatchObject({
          type: 'tracking.changed',
          source: '/services/tracking',
          subject: 'FC1',
          tenantid: TENANT,
          environment: 'sandbox',
          data: { forecast_no: 'FC1', po_number: 'PO-1', previous_admin_status: '', admin_status: 'In Transit', is_terminal: false },
        });
      });

      test('are not told for a further node of the same status, nor for a late older one', async () => {
        const shipment = await shipped();
        await store.record(shipment, [node(10)], NOW);
        await store.record(shipment, [node(11)], NOW);
        expect(await store.record(shipment, [node(1, 'Delivery Failure')], NOW)).toEqual({ change: undefined, latestStatus: 'In Transit' });
        expect(await told()).toEqual([['', 'In Transit']]);
        expect((await store.history(shipment))[0]).toEqual(node(11));
      });

      test('are told once, however many record at the same time', async () => {
        const shipment = await shipped();
        const story = [node(1, 'Picked Up'), node(2, 'In Transit'), node(3, 'In Delivery')];
        await Promise.all(Array.from({ length: 20 }, (_, index) => store.record(shipment, story.slice(0, 1 + (index % 3)), NOW)));
        const changes = await told();
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
            const before = (await told()).length;
            for (const [second, adminStatus] of arrivals) await store.record(shipment, [node(second, adminStatus)], NOW);
            const changes = (await told()).slice(before);
            changes.forEach(([previous, current], index) => {
              expect(previous).toBe(changes[index - 1]?.[1] ?? '');
              expect(current).not.toBe(previous);
            });
            expect(changes.at(-1)?.[1] ?? '').toBe((await store.history(shipment))[0]?.adminStatus ?? '');
          }),
          { numRuns: 25 },
        );
      });

      test('a terminal state ends the watch; a correction of it is told and takes the watch up again', async () => {
        const shipment = await shipped();
        expect((await store.record(shipment, [node(1, 'Delivery Failure')], NOW)).change?.isTerminal).toBe(true);
        expect(await due(NOW + 10_000)).toEqual([]);
        await store.record(shipment, [node(2, 'In Delivery')], NOW + 20_000);
        expect(await told()).toEqual([
          ['', 'Delivery Failure'],
          ['Delivery Failure', 'In Delivery'],
        ]);
        expect(await due(NOW + 20_000)).toEqual(['FC1']);
      });
      test('a watch taken up again goes on, although a poll begun before gives it back for good', async () => {
        const shipment = await shipped();
        await store.lease(NOW, 60_000, 10);
        await store.record(shipment, [node(1, 'Delivery Failure')], NOW);
        const asked = (await store.findShipment(TENANT, 'FC1')) as Shipment;
        await store.record(asked, [node(2, 'In Delivery')], NOW + 1);
        await store.reschedule(shipment, null, 0);
        expect(await due(NOW + 60_000)).toEqual(['FC1']);
      });

      test('are not told again of nodes that a full history has dropped', async () => {
        const shipment = await shipped();
        const full = Array.from({ length: MAX_NODES }, (_, index) => node(index + 1));
        await store.record(shipment, full, NOW);
        expect(await store.record(shipment, [node(0, 'Picked Up'), ...full], NOW)).toEqual({
          change: undefined,
          latestStatus: 'In Transit',
        });
        expect(await store.history(shipment)).toEqual(full.reverse());
      });
    });

    describe('queue', () => {
      test('gives a shipment to one at a time, and again when the lease is over', async () => {
        await shipped();
        const taken = await Promise.all([store.lease(NOW, 1000, 10), store.lease(NOW, 1000, 10)]);
        expect(taken.flat()).toHaveLength(1);
        expect(await due(NOW + 999)).toEqual([]);
        expect(await due(NOW + 1000)).toEqual(['FC1']);
      });

      test('gives what has been due longest first, at most the limit', async () => {
        for (const [forecastNo, at] of [
          ['FC1', NOW + 3],
          ['FC2', NOW + 1],
          ['FC3', NOW + 2],
        ] as const) {
          await store.dispatch(dispatchOf({ forecastNo, at }));
        }
        expect((await store.lease(NOW + 5, 1000, 2)).map((shipment) => shipment.forecastNo)).toEqual(['FC2', 'FC3']);
        expect(await due(NOW + 5)).toEqual(['FC1']);
      });

      test('takes a shipment back with its next time and its failures, or for good', async () => {
        const shipment = await shipped();
        await store.lease(NOW, 60_000, 10);
        await store.reschedule(shipment, NOW + 500, 3);
        expect(await due(NOW + 499)).toEqual([]);
        expect((await store.lease(NOW + 500, 60_000, 10)).map(({ failures }) => failures)).toEqual([3]);
        await store.reschedule(shipment, null, 0);
        expect(await due(NOW + 10_000_000)).toEqual([]);
      });
    });

    describe('simulation', () => {
      test('makes the shipment due at once, and keeps it due if it was being polled', async () => {
        const shipment = await shipped();
        await store.lease(NOW, 60_000, 10);
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

    describe('retention', () => {
      test('deletes what is over and old, in steps, and nothing else', async () => {
        const over = await shipped('FC1');
        await store.simulate(over, { adminStatus: 'Delivery Success' }, NOW);
        const current = (await store.findShipment(TENANT, 'FC1')) as Shipment;
        await store.record(current, [node(1, 'Delivery Success')], NOW);
        await store.dispatch(dispatchOf({ forecastNo: 'FC2', poNumber: 'PO-2', trackingNumber: 'SIM2' }));
        await store.accept(acceptedForecast({ forecastNo: 'FC3', poNumber: 'PO-3' }));
        await store.accept(acceptedForecast({ forecastNo: 'FC4', poNumber: 'PO-4', acceptedAt: NOW + 10 }));
        await driver.emptyOutbox();
        expect(await store.purge(NOW, 10)).toBe(0);
        expect(await store.purge(NOW + 1, 10)).toBe(2);
        expect(await store.purge(NOW + 1, 10)).toBe(0);
        expect(await store.findByPoNumber(TENANT, 'PO-1')).toBeUndefined();
        expect(await store.findByPoNumber(TENANT, 'PO-3')).toBeUndefined();
        expect(await store.history(current)).toEqual([]);
        expect(await store.simulatedNodes(current)).toEqual([]);
        // Still under watch, and still young.
        expect(await store.findByPoNumber(TENANT, 'PO-2')).toMatchObject({ shipment: { trackingNumber: 'SIM2' } });
        expect(await store.findByPoNumber(TENANT, 'PO-4')).toBeDefined();
      });

      test('deletes no more than the limit in a step', async () => {
        for (const forecastId of [1, 2, 3]) await store.accept(acceptedForecast({ forecastNo: `FC${forecastId}`, forecastId }));
        expect([await store.purge(NOW + 1, 2), await store.purge(NOW + 1, 2)]).toEqual([2, 1]);
      });
    });

    describeTelemetry(open);

    test('answers the check', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}
