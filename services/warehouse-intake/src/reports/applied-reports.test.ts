import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { ManualClock } from '@parcelway/kernel/clock';
import type { EventDetail, IntakeEvent } from '../expected/domain/event.ts';
import { LATE_REPORT_MS } from '../expected/domain/match.ts';
import type { ReportKind } from '../expected/domain/parcel-reports.ts';
import { claimOf, dispatch } from '../testing/intake-steps.ts';
import { type OpenStores, openStores } from '../testing/open-stores.ts';
import { accept, acceptedForecast, cancel, intakeEvent, NOW, PHOTO } from '../testing/samples.ts';
import type { Intake } from './intake-store.ts';

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

describe('applied reports', () => {
  let driver: OpenStores;
  let clock: ManualClock;
  let store: Intake;
  beforeEach(async () => {
    clock = new ManualClock(NOW);
    driver = openStores(clock);
    store = driver.intake;
  });
  afterEach(() => driver.close());

  const latest = async (kind: ReportKind, limit = 100): Promise<readonly IntakeEvent[]> => {
    const [found] = await driver.reports.latestOf([{ warehouseCode: 'WH1', forecastNo: 'FC1' }], { [kind]: limit });
    return found?.[kind] ?? [];
  };
  /** A weighing that occurred some minutes after nine. */
  const weighing = (minutes: number, given: Partial<IntakeEvent> = {}): IntakeEvent =>
    intakeEvent({ forecastNo: 'FC1', detail: weighed, occurredAt: minute(minutes), ...given });

  test('each is found by its kind, whole', async () => {
    await accept(store, acceptedForecast());
    const events = details.map(([, detail]) => intakeEvent({ forecastNo: 'FC1', expressNo: 'SF12345678', detail }));
    await store.record(events);
    for (const [index, [kind]] of details.entries()) if (kind !== null) expect(await latest(kind)).toEqual([events[index]]);
  });

  test('the latest comes first, and of one instant the one stored later; the rest is left out', async () => {
    await accept(store, acceptedForecast());
    const events = [3, 1, 4, 1, 5, 2].map((minutes) => weighing(minutes));
    for (const event of events) await store.record([event]);
    const inOrder = [4, 2, 0, 5, 3, 1].map((index) => events[index]);
    expect(await latest('measurement')).toEqual(inOrder);
    expect(await latest('measurement', 2)).toEqual(inOrder.slice(0, 2));
  });

  test.each([1, 260])('those of several forecasts are read together, up to the limit of each kind (%i of each)', async (count) => {
    const [one, two] = [
      { warehouseCode: 'WH1', forecastNo: 'FC1' },
      { warehouseCode: 'WH2', forecastNo: 'FC2' },
    ];
    for (const forecast of [one, two]) await accept(store, acceptedForecast({ ...forecast, trackingNumbers: [] }));
    const eventsOf = (forecast: typeof one) => [
      ...details.map(([, detail]) => intakeEvent({ ...forecast, detail, occurredAt: minute(1) })),
      ...Array.from({ length: count }, () => weighing(0, forecast)),
      ...[3, 2].map((minutes) => weighing(minutes, forecast)),
    ];
    const [first, second] = [eventsOf(one), eventsOf(two)];
    await store.record([...first, ...second]);
    const limits = { measurement: 3, photo: 5, count: 1 } as const;
    const found = await driver.reports.latestOf([one, two, { ...one, forecastNo: 'FC3' }, { ...two, forecastNo: 'FC1' }], limits);
    const expectedOf = (events: readonly IntakeEvent[]) => [[events.at(-2), events.at(-1), events[0]], [events[1]], [events[3]]];
    expect(found.map(({ measurement = [], photo = [], count: counts = [] }) => [measurement, photo, counts])).toEqual([
      expectedOf(first),
      expectedOf(second),
      [[], [], []],
      [[], [], []],
    ]);
    expect(found.flatMap((kinds) => Object.keys(kinds).filter((kind) => !(kind in limits)))).toEqual([]);
    expect(await driver.reports.latestOf([], limits)).toEqual([]);
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
        'behind a release at the time of its hold',
        [
          [1, hold],
          [1, release],
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
  });

  describe('a claimed number', () => {
    const claimed = (text: string, warehouseCode = 'WH1', limit = 10) =>
      driver.directory.claimedFor(warehouseCode, { text, number: normaliseTrackingNumber(text) }, limit);

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
  });
});
