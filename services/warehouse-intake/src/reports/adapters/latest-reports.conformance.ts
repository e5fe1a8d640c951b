import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { EventDetail, IntakeEvent } from '../../expected/domain/event.ts';
import { accept } from '../../testing/follow-one.ts';
import { acceptedForecast, intakeEvent, NOW, PHOTO } from '../../testing/samples.ts';
import type { IntakeStore } from '../ports.ts';
import type { AppliedReportsDriver } from './applied-reports.conformance.ts';

const weighed: EventDetail = { type: 'weighing', lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 1.25, photos: [PHOTO] };
const details: readonly EventDetail[] = [
  weighed,
  { type: 'photo', photo: PHOTO, imageType: 'package', imageOrder: 1 },
  { type: 'exception', reason: 'damaged', text: null, photos: [] },
  { type: 'processing', receivedItems: [{ skuCode: 'MUG', quantity: 2 }] },
  { type: 'hold', reason: null },
  { type: 'arrival' },
];

/** An instant some minutes after nine. */
const minute = (minutes: number): string => `2026-11-21T09:${String(minutes).padStart(2, '0')}:00+08:00`;

/** How every driver reads the reports of several forecasts. @param open a driver with an empty store */
export function describeLatestReports(name: string, open: (clock: ManualClock) => Promise<AppliedReportsDriver>): void {
  describe(`latest reports: ${name}`, () => {
    let driver: AppliedReportsDriver;
    let store: IntakeStore;
    beforeEach(async () => {
      driver = await open(new ManualClock(NOW));
      store = driver.store;
    });
    afterEach(() => driver.close());

    const weighing = (minutes: number, given: Partial<IntakeEvent>): IntakeEvent =>
      intakeEvent({ detail: weighed, occurredAt: minute(minutes), ...given });

    test('those of several forecasts are read together, of each kind as many as are wanted', async () => {
      const forecasts = [
        { warehouseCode: 'WH1', forecastNo: 'FC1' },
        { warehouseCode: 'WH2', forecastNo: 'FC2' },
        { warehouseCode: 'WH1', forecastNo: 'FC3' },
      ];
      for (const one of forecasts) await accept(store, acceptedForecast({ ...one, trackingNumbers: [] }));
      const events = forecasts
        .slice(0, 2)
        .flatMap((one) => [
          ...details.map((detail) => intakeEvent({ ...one, detail, occurredAt: minute(1) })),
          ...[3, 2, 3].map((minutes) => weighing(minutes, one)),
        ]);
      await store.record(events);
      const limits = { measurement: 2, photo: 5, count: 1 } as const;
      const found = await driver.reports.latestOf([...forecasts, { warehouseCode: 'WH2', forecastNo: 'FC1' }], limits);
      const expected = await Promise.all(
        forecasts.map(async (one) => {
          const of = async (kind: keyof typeof limits) => driver.reports.latest({ ...one, kind, limit: limits[kind] });
          return [await of('measurement'), await of('photo'), await of('count')];
        }),
      );
      expect(expected.slice(0, 2).map((kinds) => kinds.map(({ length }) => length))).toEqual([
        [2, 1, 1],
        [2, 1, 1],
      ]);
      expect(found.map(({ measurement = [], photo = [], count = [] }) => [measurement, photo, count])).toEqual([...expected, [[], [], []]]);
      expect(found.flatMap((kinds) => Object.keys(kinds).filter((kind) => !(kind in limits)))).toEqual([]);
      expect(await driver.reports.latestOf([], limits)).toEqual([]);
    });

    test('more than are read together are the same', async () => {
      await accept(store, acceptedForecast());
      await accept(store, acceptedForecast({ forecastNo: 'FC2', trackingNumbers: [] }));
      const many = ['FC1', 'FC2'].flatMap((forecastNo) => Array.from({ length: 260 }, (_, index) => weighing(index % 60, { forecastNo })));
      await store.record(many);
      const of = ['FC1', 'FC2'].map((forecastNo) => ({ warehouseCode: 'WH1', forecastNo }));
      const found = await driver.reports.latestOf(of, { measurement: 3, photo: 3 });
      const idsOf = async (forecastNo: string) =>
        (await driver.reports.latest({ warehouseCode: 'WH1', forecastNo, kind: 'measurement', limit: 3 })).map(({ eventId }) => eventId);
      expect(found.map(({ measurement = [] }) => measurement.map(({ eventId }) => eventId))).toEqual([
        await idsOf('FC1'),
        await idsOf('FC2'),
      ]);
    });
  });
}
