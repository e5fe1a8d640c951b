import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import type { IntakeEvent } from '../../expected/domain/event.ts';
import { accept, cancel } from '../../testing/follow-one.ts';
import { acceptedForecast, intakeEvent, NOW } from '../../testing/samples.ts';
import type { IntakeStore } from '../ports.ts';
import { describeClaims } from './intake-store-claims.conformance.ts';
import { describeHistories } from './intake-store-histories.conformance.ts';
import { describeLaws, type IntakeStoreDriver } from './intake-store-laws.conformance.ts';
import { describeResolutions } from './intake-store-resolutions.conformance.ts';
import { describeTraces } from './intake-store-traces.conformance.ts';

const dispatch = { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' } as const;

/**
 * What every driver of the intake's store must do.
 * @param open a driver with an empty store
 */
export function describeIntakeStore(name: string, open: (clock: ManualClock) => Promise<IntakeStoreDriver>): void {
  describe(`intake store: ${name}`, () => {
    let clock: ManualClock;
    let driver: IntakeStoreDriver;
    let store: IntakeStore;

    beforeEach(async () => {
      clock = new ManualClock(NOW);
      driver = await open(clock);
      store = driver.store;
    });
    afterEach(() => driver.close());

    const publications = async (): Promise<DomainEvent[]> => (await driver.published()).map(decodeEvent);
    const publishedIds = async (): Promise<string[]> =>
      (await publications()).map((event) => (event.data as { readonly event_id: string }).event_id);
    const reasons = async (): Promise<string[]> => (await store.unclaimed(100)).map((parcel) => parcel.reason);

    describe('recording', () => {
      test('stores an event once, however often it comes', async () => {
        const event = intakeEvent();
        const waiting = [{ warehouseCode: 'WH1', eventId: event.eventId, reason: 'no_forecast' }];
        const none = { conflicts: [], refused: [], published: 0 };
        expect(await store.record([event])).toEqual({ accepted: 1, duplicates: 0, waiting, ...none });
        expect(await store.record([event, event])).toEqual({ accepted: 0, duplicates: 2, waiting, ...none });
        expect(await store.unclaimed(10)).toEqual([{ event, type: 'arrival', reason: 'no_forecast', receivedAt: NOW }]);
      });

      test('takes an event once when the same call arrives many times at once', async () => {
        await accept(store, acceptedForecast());
        const events = Array.from({ length: 20 }, () => intakeEvent());
        const outcomes = await Promise.all(Array.from({ length: 8 }, () => store.record(events)));
        expect(outcomes.reduce((sum, outcome) => sum + outcome.accepted, 0)).toBe(20);
        expect(outcomes.reduce((sum, outcome) => sum + outcome.duplicates, 0)).toBe(140);
        expect((await publishedIds()).sort()).toEqual(events.map((event) => event.eventId).sort());
      });
    });

    describe('the counts of numbers', () => {
      const many = (count: number) => Array.from({ length: count }, (_, index) => `GUESS${index}`);

      test('follow acceptances, scans and cancellations', async () => {
        await accept(store, acceptedForecast({ trackingNumbers: ['N1', 'N2', 'SF12345678'], poNumber: 'PO-1001' }));
        await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: ['N4'] }));
        await accept(store, acceptedForecast({ forecastNo: 'FC3', tenantId: 'tnt_b', trackingNumbers: ['N5'] }));
        await store.record([intakeEvent(), intakeEvent()]);
        await cancel(store, 'FC2', NOW);
        await cancel(store, 'FC2', NOW);
        const limited = { tenantId: 'tnt_b', unseen: 1, seen: 0, limit: 500 };
        expect(await store.limitNumbers('tnt_b', 500)).toEqual(limited);
        expect(await store.declaredNumbers(9)).toEqual([{ tenantId: 'tnt_a', unseen: 2, seen: 1, limit: null }, limited]);
        expect(await store.declaredNumbers(1)).toHaveLength(1);
        expect(await store.limitedNumbers(9)).toEqual([limited]);
        expect(await store.limitNumbers('tnt_b', null)).toEqual({ ...limited, limit: null });
        expect(await store.limitedNumbers(9)).toEqual([]);
        await store.record([intakeEvent({ forecastNo: 'FC1', expressNo: null }), intakeEvent({ detail: dispatch })]);
        expect(await store.declaredNumbers(9)).toEqual([{ tenantId: 'tnt_b', unseen: 1, seen: 0, limit: null }]);
      });

      test('make a tenant suspect: its scans wait until the warehouse names the forecast', async () => {
        await accept(store, acceptedForecast({ trackingNumbers: many(5001) }));
        await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
        expect(await store.suspectsAmong(['tnt_a', 'tnt_b'])).toEqual(new Set(['tnt_a']));
        const outcome = await store.record([intakeEvent({ expressNo: 'GUESS7' }), intakeEvent()]);
        expect(outcome).toMatchObject({ published: 1, waiting: [{ reason: 'ambiguous', candidates: ['FC1'] }] });
        await store.record([intakeEvent({ expressNo: 'GUESS7', forecastNo: 'FC1' })]);
        expect((await publications()).map(({ subject }) => subject)).toEqual(['FC2', 'FC1', 'FC1']);
        // One parcel has come: 5000 numbers are left, which is no suspicion any more.
        expect(await store.suspectsAmong(['tnt_a', 'tnt_b'])).toEqual(new Set());
      });
    });

    test('a po_number holds up the owner of the logistics number, unless its tenant is suspect', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: ['OWNED1', 'OWNED2'] }));
      await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b', trackingNumbers: [], poNumber: 'owned-1' }));
      const scan = () => store.record([intakeEvent({ expressNo: 'OWNED1' })]);
      expect(await scan()).toMatchObject({ published: 0, waiting: [{ reason: 'ambiguous', candidates: ['FC1', 'FC2'] }] });
      const guesses = Array.from({ length: 5001 }, (_, index) => `GUESS${index}`);
      await accept(store, acceptedForecast({ forecastNo: 'FC3', tenantId: 'tnt_b', trackingNumbers: guesses }));
      expect(await scan()).toMatchObject({ published: 1 });
    });

    test('says under which numbers of which forecasts an event came', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: ['N1', 'N2'] }));
      await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: ['N1'] }));
      await store.record([intakeEvent({ expressNo: 'N1', forecastNo: 'FC1' })]);
      const seenUnder = (number: string, forecastNos: readonly string[], warehouseCode = 'WH1') =>
        store.seenUnder({ warehouseCode, number }, forecastNos);
      expect(await seenUnder('N1', ['FC1', 'FC2', 'FC9'])).toEqual(new Set(['FC1']));
      for (const none of [seenUnder('N2', ['FC1']), seenUnder('N1', ['FC2']), seenUnder('N1', []), seenUnder('N1', ['FC1'], 'WH2')])
        expect(await none).toEqual(new Set());
    });

    test('a guess of a parcel that has left takes no scan and does not hold up the owner', async () => {
      await accept(store, acceptedForecast({ trackingNumbers: ['REAL1', 'GUESS1', 'GUESS2'] }));
      await store.record([intakeEvent({ expressNo: 'REAL1' }), intakeEvent({ expressNo: 'REAL1', detail: dispatch })]);
      const scan = intakeEvent({ expressNo: 'GUESS1' });
      expect(await store.record([scan])).toMatchObject({ published: 0, waiting: [{ reason: 'ambiguous', candidates: ['FC1'] }] });
      await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b', trackingNumbers: ['GUESS1'] }));
      expect((await publications()).at(-1)).toMatchObject({ subject: 'FC2', data: { event_id: scan.eventId } });
      // Late reports under the number that was seen still come.
      expect(await store.record([intakeEvent({ expressNo: 'REAL1' })])).toMatchObject({ published: 1 });
    });

    describe('matching', () => {
      test('holds up the scan of a po_number that another tenant declares, until the warehouse names the order', async () => {
        const order = acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b', trackingNumbers: [], poNumber: 'PO-1001' });
        await accept(store, order);
        await store.record([intakeEvent({ expressNo: 'PO-1001' })]);
        await accept(store, acceptedForecast({ trackingNumbers: ['PO1001'] }));
        expect(await reasons()).toEqual(['ambiguous']);
        await store.record([intakeEvent({ expressNo: 'PO-1001', forecastNo: 'FC2' })]);
        await store.record([intakeEvent({ expressNo: 'po-1001' })]);
        expect((await publications()).map(({ subject }) => subject)).toEqual(['FC2', 'FC2', 'FC2']);
      });

      test('releases what a po_number held up once its forecast is cancelled', async () => {
        await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b', trackingNumbers: [], poNumber: 'PO-1001' }));
        await accept(store, acceptedForecast({ trackingNumbers: ['PO1001'] }));
        await store.record([intakeEvent({ expressNo: 'PO-1001' })]);
        expect(await reasons()).toEqual(['ambiguous']);
        await cancel(store, 'FC2', NOW);
        expect(await publications()).toMatchObject([{ subject: 'FC1' }]);
      });
    });

    describe('waiting', () => {
      test('applies what waited when the forecast comes, in the order in which it occurred', async () => {
        const second = intakeEvent({ occurredAt: '2026-11-21T10:00:00+08:00' });
        const third = intakeEvent({ forecastNo: 'FC1', occurredAt: '2026-11-21T03:00:00+00:00' });
        const first = intakeEvent({ occurredAt: '2026-11-21T00:59:00+00:00' });
        await store.record([second, third, first]);
        expect(await reasons()).toEqual(['no_forecast', 'no_forecast', 'no_forecast']);
        expect(await accept(store, acceptedForecast())).toEqual({ published: 3 });
        expect(await publishedIds()).toEqual([first.eventId, second.eventId, third.eventId]);
        expect(await reasons()).toEqual([]);
      });

      test('applies a crowd that waited, in order', async () => {
        const events = Array.from({ length: 1203 }, (_, index) =>
          intakeEvent({
            occurredAt: new Date(NOW - 3_600_000 + Math.floor(index / 2)).toISOString(),
            forecastNo: index % 3 ? null : 'FC1',
          }),
        );
        await store.record(events);
        expect(await accept(store, acceptedForecast())).toEqual({ published: 1203 });
        expect(await publishedIds()).toEqual(events.map((event) => event.eventId));
      });

      test('shows the oldest first, up to the limit', async () => {
        const events = [intakeEvent(), intakeEvent(), intakeEvent()];
        for (const event of events) await store.record([event]);
        expect((await store.unclaimed(2)).map((parcel) => parcel.event.eventId)).toEqual(events.slice(0, 2).map((event) => event.eventId));
      });
    });

    describe('cancelling', () => {
      test('gives back a report that the forecast refuses: it waits, or goes to another forecast, once', async () => {
        const [early, late, named] = [intakeEvent(), intakeEvent(), intakeEvent({ forecastNo: 'FC1' })];
        const refuse = ({ warehouseCode, eventId }: IntakeEvent) =>
          store.follow([{ kind: 'refused', forecastNo: 'FC1', at: NOW, report: { warehouseCode, eventId } }]);
        await accept(store, acceptedForecast());
        await store.record([early, late, named]);
        const before = await publications();
        expect(await refuse(early)).toEqual({ published: 0 });
        expect(await reasons()).toEqual(['no_forecast']);
        expect(await accept(store, acceptedForecast({ forecastNo: 'FC2' }))).toEqual({ published: 1 });
        expect(await refuse(late)).toEqual({ published: 1 });
        for (const event of [early, late, named]) expect(await refuse(event)).toEqual({ published: 0 });
        expect(await reasons()).toEqual([]);
        const all = await publications();
        expect(all.slice(before.length).map(({ subject }) => subject)).toEqual(['FC2', 'FC2']);
        expect(new Set(all.map(({ id }) => id)).size).toBe(5);
      });
    });

    describe('retention', () => {
      test('deletes old events in batches and names those that never found a forecast', async () => {
        await accept(store, acceptedForecast());
        const lost = intakeEvent({ expressNo: 'OTHER1' });
        await store.record([intakeEvent(), lost, intakeEvent()]);
        clock.advance(1000);
        const kept = intakeEvent({ expressNo: 'OTHER2' });
        await store.record([kept]);
        // An event is kept at least until its publication has left.
        expect(await publications()).toHaveLength(2);
        const outcomes = [await store.purge(NOW + 1, 2), await store.purge(NOW + 1, 2)];
        expect(outcomes.map((outcome) => outcome.deleted)).toEqual([2, 1]);
        expect(outcomes.flatMap((outcome) => outcome.unclaimed)).toEqual([{ warehouseCode: 'WH1', eventId: lost.eventId }]);
        expect((await store.unclaimed(10)).map((parcel) => parcel.event)).toEqual([kept]);
      });

      test('forgets forecasts that are over, keeps those that are expected', async () => {
        await accept(store, acceptedForecast());
        await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: ['OTHER1'] }));
        await cancel(store, 'FC1', NOW);
        await store.purge(NOW + 1, 100);
        await store.record([intakeEvent({ forecastNo: 'FC1' }), intakeEvent({ forecastNo: 'FC2' })]);
        expect((await publications()).map((event) => event.subject)).toEqual(['FC2']);
      });
    });

    describeClaims(open);
    describeResolutions(open);
    describeTraces(open);
    describeLaws(open);
    describeHistories(open);
  });
}
