import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { ManualClock } from '@parcelway/kernel/clock';
import { LATE_REPORT_MS } from '../../expected/domain/end-of-stay.ts';
import type { EventDetail, IntakeEvent } from '../../expected/domain/event.ts';
import type { ReportKind } from '../../expected/domain/parcel-reports.ts';
import type { AppliedReports, ClaimedNumbers, ReportQuery } from '../../expected/ports.ts';
import { accept, cancel, correct } from '../../testing/follow-one.ts';
import { claimOf, dismissalOf, dispatch } from '../../testing/intake-steps.ts';
import { acceptedForecast, intakeEvent, NOW, PHOTO } from '../../testing/samples.ts';
import type { IntakeStore } from '../ports.ts';

/** What shows the reports of parcels, beside the store that they are in. */
export interface AppliedReportsDriver {
  readonly store: IntakeStore;
  readonly reports: AppliedReports;
  readonly claimed: ClaimedNumbers;
  close(): Promise<void>;
}

const weighed: EventDetail = { type: 'weighing', lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 1.25, photos: [PHOTO] };
const details: readonly (readonly [ReportKind | null, EventDetail])[] = [
  ['measurement', weighed],
  ['photo', { type: 'photo', photo: PHOTO, imageType: 'package', imageOrder: 1 }],
  ['exception', { type: 'exception', reason: 'damaged', text: null, photos: [] }],
  ['count', { type: 'processing', receivedItems: [{ skuCode: 'MUG', quantity: 2 }] }],
  ['hold', { type: 'hold', reason: null }],
  ['release', { type: 'release' }],
  [null, { type: 'arrival' }],
  [null, dispatch],
];

/** An instant some minutes after nine. */
const minute = (minutes: number): string => `2026-11-21T09:${String(minutes).padStart(2, '0')}:00+08:00`;
const msOf = (minutes: number): number => Date.parse(minute(minutes));

/** What every driver shows of applied reports. @param open a driver with an empty store */
export function describeAppliedReports(name: string, open: (clock: ManualClock) => Promise<AppliedReportsDriver>): void {
  describe(`applied reports: ${name}`, () => {
    let driver: AppliedReportsDriver;
    let clock: ManualClock;
    let store: IntakeStore;
    beforeEach(async () => {
      clock = new ManualClock(NOW);
      driver = await open(clock);
      store = driver.store;
    });
    afterEach(() => driver.close());

    const latest = async (kind: ReportKind, query: Partial<ReportQuery> = {}): Promise<string[]> => {
      const found = await driver.reports.latest({ warehouseCode: 'WH1', forecastNo: 'FC1', kind, limit: 100, ...query });
      return found.map(({ eventId }) => eventId);
    };
    /** A weighing that occurred some minutes after nine. */
    const weighing = (minutes: number, given: Partial<IntakeEvent> = {}): IntakeEvent =>
      intakeEvent({ forecastNo: 'FC1', detail: weighed, occurredAt: minute(minutes), ...given });

    test('each is found by its kind, whole', async () => {
      await accept(store, acceptedForecast());
      const events = details.map(([, detail]) => intakeEvent({ forecastNo: 'FC1', expressNo: 'SF12345678', detail }));
      await store.record(events);
      for (const [index, [kind]] of details.entries()) {
        if (kind === null) continue;
        const found = await driver.reports.latest({ warehouseCode: 'WH1', forecastNo: 'FC1', kind, limit: 100 });
        expect(found).toEqual([events[index]]);
      }
    });

    test('the latest comes first, and of one instant the one stored later; the rest is left out', async () => {
      await accept(store, acceptedForecast());
      const events = [3, 1, 4, 1, 5, 2].map((minutes) => weighing(minutes));
      for (const event of events) await store.record([event]);
      const ids = [4, 2, 0, 5, 3, 1].map((index) => events[index]?.eventId);
      expect(await latest('measurement')).toEqual(ids);
      expect(await latest('measurement', { limit: 2 })).toEqual(ids.slice(0, 2));
      expect(await latest('measurement', { until: msOf(3) })).toEqual(ids.slice(2));
      expect(await latest('measurement', { until: msOf(1), limit: 1 })).toEqual(ids.slice(4, 5));
      expect(await latest('measurement', { until: msOf(0) })).toEqual([]);
    });

    test('of another forecast or another warehouse none is shown', async () => {
      await accept(store, acceptedForecast());
      await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: [] }));
      await accept(store, acceptedForecast({ forecastNo: 'FC3', warehouseCode: 'WH2', trackingNumbers: [] }));
      const own = weighing(1);
      const others = [weighing(2, { forecastNo: 'FC2' }), weighing(3, { forecastNo: 'FC3', warehouseCode: 'WH2' })];
      await store.record([own, ...others]);
      expect(await latest('measurement')).toEqual([own.eventId]);
      expect(await latest('measurement', { forecastNo: 'FC3' })).toEqual([]);
      expect(await latest('measurement', { forecastNo: 'FC3', warehouseCode: 'WH2' })).toEqual([others[1]?.eventId]);
    });

    test('a forecast that moved to another warehouse leaves the reports where they were made', async () => {
      await accept(store, acceptedForecast());
      const event = weighing(1);
      await store.record([event]);
      await correct(store, { ...acceptedForecast({ warehouseCode: 'WH2' }), version: 2 });
      const later = weighing(2, { warehouseCode: 'WH2' });
      await store.record([later]);
      expect(await latest('measurement')).toEqual([event.eventId]);
      expect(await latest('measurement', { warehouseCode: 'WH2' })).toEqual([later.eventId]);
    });

    test('one that waits is shown once its forecast has come, by acceptance, correction or claim, and a dismissed one never', async () => {
      const [accepted, corrected, claimed, dismissed] = ['SF12345678', 'NEW00001', 'LOST0001', 'LOST0002'].map((expressNo, index) =>
        weighing(index + 1, { forecastNo: null, expressNo }),
      ) as [IntakeEvent, IntakeEvent, IntakeEvent, IntakeEvent];
      await store.record([accepted, corrected, claimed, dismissed]);
      expect(await latest('measurement')).toEqual([]);
      await accept(store, acceptedForecast());
      expect(await latest('measurement')).toEqual([accepted.eventId]);
      await correct(store, { ...acceptedForecast({ trackingNumbers: ['SF12345678', 'NEW00001'] }), version: 2 });
      expect(await latest('measurement')).toEqual([corrected.eventId, accepted.eventId]);
      await store.resolve(claimOf(claimed, 'FC1'));
      await store.resolve(dismissalOf(dismissed));
      expect(await latest('measurement')).toEqual([claimed, corrected, accepted].map(({ eventId }) => eventId));
    });

    describe('a dispatch', () => {
      const hold: EventDetail = { type: 'hold', reason: null };
      const release: EventDetail = { type: 'release' };
      const at = (minutes: number, detail: EventDetail, given: Partial<IntakeEvent> = {}): IntakeEvent =>
        weighing(minutes, { detail, ...given });
      const onHold = (...events: readonly IntakeEvent[]) => driver.reports.dispatchedOnHold(events);

      test.each<[string, readonly [number, EventDetail][], number | null]>([
        ['behind a hold', [[1, hold]], 1],
        ['before a hold', [[6, hold]], null],
        [
          'behind a release',
          [
            [1, hold],
            [2, release],
          ],
          null,
        ],
        [
          'behind a second hold',
          [
            [1, hold],
            [2, release],
            [3, hold],
          ],
          3,
        ],
      ])('%s', async (_name, reported, heldAt) => {
        await accept(store, acceptedForecast());
        const leaves = at(5, dispatch);
        await store.record([leaves, ...reported.map(([minutes, detail]) => at(minutes, detail))]);
        const { warehouseCode, eventId } = leaves;
        const expected = heldAt === null ? [] : [{ warehouseCode, eventId, forecastNo: 'FC1', heldAt: minute(heldAt) }];
        expect(await onHold(leaves)).toEqual(expected);
      });

      test('that waits, or of another forecast, is not on hold; nor is another event, or one that is not stored', async () => {
        await accept(store, acceptedForecast());
        await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: [] }));
        await accept(store, acceptedForecast({ forecastNo: 'FC3', warehouseCode: 'WH2', trackingNumbers: [] }));
        const held = at(1, hold);
        const events = [
          at(5, dispatch, { forecastNo: null, expressNo: 'LOST0001' }),
          at(5, dispatch, { forecastNo: 'FC2' }),
          at(5, dispatch, { forecastNo: 'FC3', warehouseCode: 'WH2' }),
          at(5, weighed),
        ];
        await store.record([held, ...events]);
        expect(await onHold(...events, held, at(5, dispatch))).toEqual([]);
        expect(await onHold()).toEqual([]);
      });

      test('of many is found by its forecast and its warehouse', async () => {
        const numbers = Array.from({ length: 20 }, (_, index) => `FC${index}`);
        for (const forecastNo of numbers) {
          const warehouseCode = Number(forecastNo.slice(2)) % 2 === 0 ? 'WH1' : 'WH2';
          await accept(store, acceptedForecast({ forecastNo, warehouseCode, trackingNumbers: [] }));
          const given = { forecastNo, warehouseCode };
          const holds = Number(forecastNo.slice(2)) % 3 === 0 ? [at(1, hold, given)] : [];
          await store.record([...holds, at(5, dispatch, { ...given, eventId: `leaves-${forecastNo}` })]);
        }
        const keys = numbers.flatMap((no) => ['WH1', 'WH2'].map((warehouseCode) => ({ warehouseCode, eventId: `leaves-${no}` })));
        const found = await driver.reports.dispatchedOnHold(keys);
        expect(found.map(({ forecastNo }) => forecastNo).sort()).toEqual(['FC0', 'FC12', 'FC15', 'FC18', 'FC3', 'FC6', 'FC9']);
      });
    });

    test('a read goes through no more reports than it shows', async () => {
      await accept(store, acceptedForecast());
      await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: [] }));
      const forecasts = ['FC1', 'FC2'];
      const many = forecasts.flatMap((forecastNo) => Array.from({ length: 60 }, (_, index) => weighing(index % 60, { forecastNo })));
      await store.record(many);
      expect(await latest('measurement', { limit: 3, until: msOf(40) })).toHaveLength(3);
    });

    describe('a claimed number', () => {
      const claimed = (text: string, warehouseCode = 'WH1', limit = 10) =>
        driver.claimed.claimedFor(warehouseCode, { text, number: normaliseTrackingNumber(text) }, limit);

      test('leads to the forecasts that the warehouse has claimed it for', async () => {
        for (const forecastNo of ['FC1', 'FC2', 'FC3'])
          await accept(store, acceptedForecast({ forecastNo, trackingNumbers: ['SF12345678'] }));
        const [scanned, named] = [intakeEvent({ expressNo: 'LOST 0001' }), intakeEvent({ forecastNo: 'FC-TYPO' })];
        await store.record([scanned, named]);
        expect([await claimed('LOST-0001'), await claimed('FC-TYPO')]).toEqual([[], []]);
        await store.resolve(claimOf(scanned, 'FC1'));
        await store.resolve(claimOf(named, 'FC2'));
        expect([await claimed('lost-0001'), await claimed('FC-TYPO')]).toEqual([['FC1'], ['FC2']]);
        // What merchants declare is no claim, nor is what waits.
        expect([await claimed('SF12345678'), await claimed('FC1'), await claimed('LOST0001', 'WH2')]).toEqual([[], [], []]);
      });

      test('leads to every forecast that it was claimed for, and to those that are not cancelled', async () => {
        for (const forecastNo of ['FC1', 'FC2']) await accept(store, acceptedForecast({ forecastNo, trackingNumbers: [] }));
        for (const forecastNo of ['FC1', 'FC2']) {
          // The first parcel has left; under its number another one comes.
          const event = intakeEvent({ forecastNo: null, expressNo: 'LOST0001', detail: dispatch });
          await store.record([event]);
          if (forecastNo === 'FC1') await store.resolve(claimOf(event, forecastNo));
          clock.advance(LATE_REPORT_MS + 1);
        }
        const waiting = (await store.unclaimed(10)).map(({ event }) => event);
        expect(waiting).toHaveLength(1);
        await store.resolve(claimOf(waiting[0] as IntakeEvent, 'FC2'));
        expect([...(await claimed('LOST0001'))].sort()).toEqual(['FC1', 'FC2']);
        expect(await claimed('LOST0001', 'WH1', 1)).toHaveLength(1);
        await cancel(store, 'FC2', NOW);
        expect(await claimed('LOST0001')).toEqual(['FC1']);
      });

      test('leads nowhere once its forecast has moved to another warehouse', async () => {
        await accept(store, acceptedForecast({ trackingNumbers: [] }));
        const event = intakeEvent({ expressNo: 'LOST0001' });
        await store.record([event]);
        await store.resolve(claimOf(event, 'FC1'));
        await correct(store, { ...acceptedForecast({ warehouseCode: 'WH2', trackingNumbers: [] }), version: 2 });
        expect(await claimed('LOST0001', 'WH2')).toEqual([]);
      });
    });
  });
}
