import { describe, expect, test } from '@jest/globals';
import { MAX_HOLDS_IN_EVENT } from '@parcelway/contracts/domain-events';
import { statusReasons } from '@parcelway/contracts/forecast-api';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import { isoInstant } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import type { ForecastType } from '../../store/domain/canonical.ts';
import type { Fact } from '../../store/domain/fact.ts';
import { initialProgress, type Progress } from '../../store/domain/forecast.ts';
import { MAX_KEPT_LARGE } from '../../store/domain/kept-list.ts';
import { cancel } from '../../submission/domain/cancellation.ts';
import { dispatchAt, exceptionAt, measurementAt, photo, reportAt } from '../../testing/samples.ts';
import { advance, type Step, statusAfter } from './advance.ts';
import { announcements } from './announcements.ts';
import { foundElsewhere } from './decide-facts.ts';

interface State {
  readonly status: ForecastStatus;
  readonly forecastType: ForecastType;
  readonly progress: Progress;
}

const fresh = (forecastType: ForecastType): State => ({ status: 1, forecastType, progress: initialProgress(0) });

/** Photos share three upload times. */
const photoAt = (at: number) => photo(at, { upload_time: isoInstant(at % 3) });

/** A fact made of one number: equal numbers are the same report, different ones differ in instant. */
function factOf(step: Step, at: number): Fact {
  if (step === 'tracking.ended' || step === 'tracking.resumed') return { step, trackingNumber: `T${at % 3}` };
  const report = reportAt(at);
  if (step === 'warehouse.weighed') {
    return { step, report, measurement: measurementAt(at, { weight_kg: at + 1 }), photos: [{ ...photoAt(at), express_no: '' }] };
  }
  if (step === 'warehouse.photographed') return { step, report, photo: { ...photoAt(at), image_type: 'package', image_order: at % 4 } };
  if (step === 'warehouse.dispatched') {
    return { step, report, dispatch: dispatchAt(at, `T${at % 3}`) };
  }
  if (step === 'warehouse.exception') {
    return { step, report, exception: exceptionAt(at, photoAt(at)) };
  }
  if (step === 'warehouse.held') return { step, report, reason: at % 2 === 0 ? null : 'customs' };
  if (step === 'warehouse.released') return { step, report };
  return at % 3 === 0 ? { step, report } : { step, report, receivedItems: [{ sku_code: 'A', quantity: at }] };
}

/** Everything that can happen. */
const steps: readonly Step[] = [
  'warehouse.arrived',
  'warehouse.weighed',
  'warehouse.photographed',
  'warehouse.processed',
  'warehouse.put-away',
  'warehouse.dispatched',
  'warehouse.exception',
  'warehouse.held',
  'warehouse.released',
  'tracking.ended',
  'tracking.resumed',
];

const type = fc.constantFrom<ForecastType>(1, 2);

/** Steps that can happen to a forecast of that type: a type 1 takes no dispatch. */
const stepsOf = (forecastType: ForecastType): readonly Step[] =>
  steps.filter((step) => forecastType === 2 || step !== 'warehouse.dispatched');

const reportsOf = (forecastType: ForecastType) =>
  fc.uniqueArray(fc.record({ step: fc.constantFrom(...stepsOf(forecastType)), at: fc.nat(50) }), {
    maxLength: 20,
    selector: ({ step, at }) => `${step} ${at}`,
  });

const reported = type.chain((forecastType) => fc.tuple(fc.constant(forecastType), reportsOf(forecastType)));

function after(start: State, list: readonly { step: Step; at: number }[]): State {
  let state = start;
  for (const { step, at } of list) state = { ...state, ...advance(state, factOf(step, at), 0) };
  return state;
}

test('a history has the reasons that the contract lists, each of them', () => {
  const types: readonly ForecastType[] = [1, 2];
  const states = types.flatMap((type) => [
    ...stepsOf(type).map((step) => advance(fresh(type), factOf(step, 1), 1)),
    cancel(fresh(type), 1),
  ]);
  const reasons = new Set(states.flatMap(({ progress }) => progress.history.map(({ reason }) => reason)));
  expect([...reasons].sort()).toEqual([...statusReasons].sort());
});

describe('any order and repetition of events', () => {
  test('never moves a forecast backwards, and each status is entered once', () => {
    fc.assert(
      fc.property(
        type.chain((forecastType) =>
          fc.tuple(
            fc.constant(forecastType),
            fc.array(fc.record({ step: fc.constantFrom(...stepsOf(forecastType)), at: fc.nat(50) }), { maxLength: 30 }),
          ),
        ),
        ([forecastType, list]) => {
          let state = fresh(forecastType);
          for (const { step, at } of list) {
            const next = { ...state, ...advance(state, factOf(step, at), at) };
            expect(next.status).toBeGreaterThanOrEqual(state.status);
            expect(next.status).not.toBe(7);
            state = next;
          }
          const statuses = state.progress.history.map(({ status }) => status);
          expect(statuses).toEqual([...new Set(statuses)].sort());
          expect(statuses.at(-1)).toBe(state.status);
        },
      ),
    );
  });

  test('ends in the same status, measurements, photos and shipment for the same reports', () => {
    // Of several parcels, the order says whether another one was known at the end of one, or whether a correction came after the end.
    const ofOneParcel = reported.map(([forecastType, list]) => {
      const facts = list.filter(({ step }) => step !== 'tracking.resumed').map(({ step, at }) => ({ step, at: at - (at % 3) }));
      return [forecastType, facts] as const;
    });
    const shuffled = ofOneParcel.chain(([forecastType, list]) =>
      fc.tuple(fc.constant(forecastType), fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([forecastType, one, other]) => {
        const [a, b] = [after(fresh(forecastType), one), after(fresh(forecastType), other)];
        expect(b.status).toBe(a.status);
        // An end is noted of a known parcel only.
        const inNoOrder = { history: [], endedNumbers: [] };
        expect({ ...b.progress, ...inNoOrder }).toEqual({ ...a.progress, ...inNoOrder });
      }),
    );
  });
});

test('a forecast keeps the newest exceptions and no more than its bound', () => {
  let state = fresh(2);
  for (let at = 0; at < MAX_KEPT_LARGE + 5; at += 1) state = { ...state, ...advance(state, factOf('warehouse.exception', at), 0) };
  expect(state.progress.exceptions).toHaveLength(MAX_KEPT_LARGE);
  expect(state.progress.exceptions?.[0]?.occurred_at).toBe(isoInstant(MAX_KEPT_LARGE + 4));
});

test.each<[ForecastType, ForecastStatus, Step, ForecastStatus]>([
  [1, 1, 'warehouse.arrived', 2],
  [1, 1, 'warehouse.photographed', 1],
  [1, 1, 'warehouse.processed', 4],
  [1, 1, 'warehouse.put-away', 6],
  [1, 1, 'warehouse.dispatched', 1],
  [1, 4, 'tracking.ended', 4],
  [1, 6, 'warehouse.arrived', 6],
  [2, 1, 'warehouse.weighed', 3],
  [2, 4, 'warehouse.weighed', 4],
  [2, 1, 'warehouse.put-away', 1],
  [2, 1, 'warehouse.dispatched', 5],
  [2, 5, 'warehouse.arrived', 5],
  [2, 1, 'tracking.ended', 6],
  [2, 7, 'warehouse.weighed', 7],
])('type %d, status %d, %s → %d', (forecastType, before, step, expected) => {
  expect(statusAfter(before, forecastType, step)).toBe(expected);
});

test('a forecast is completed when all its parcels have ended, and none of them is under way again', () => {
  const list = (['warehouse.dispatched 0', 'warehouse.dispatched 1', 'tracking.ended 0', 'tracking.resumed 0', 'tracking.ended 1'] as const)
    .map((text) => text.split(' ') as [Step, string])
    .map(([step, at]) => ({ step, at: Number(at) }));
  expect(after(fresh(2), list).status).toBe(5);
  expect(after(fresh(2), [...list, { step: 'tracking.ended', at: 0 }]).status).toBe(6);
});

const FORECAST = { forecastNo: 'FC1', poNumber: 'PO-1' };

test('any order of events announces every report but a dispatch once, with the status after it, and the completion once', () => {
  fc.assert(
    fc.property(reported, ([forecastType, list]) => {
      let state = fresh(forecastType);
      const completed: unknown[] = [];
      for (const { step, at } of list) {
        const fact = factOf(step, at);
        const next = { ...state, ...advance(state, fact, 0) };
        const messages = announcements(FORECAST, fact, { before: state, after: next }, 7);
        state = next;
        expect(messages.every(({ data, time }) => 'status' in data && data.status === next.status && time === 7)).toBe(true);
        const types = messages.map(({ type }) => type).filter((type) => type !== 'parcel.completed' && type !== 'forecast.dispatched');
        const isAnnounced = 'report' in fact && step !== 'warehouse.dispatched';
        expect(types).toEqual(isAnnounced ? [step.replace('warehouse.', 'parcel.').replace('-', '_')] : []);
        completed.push(...messages.filter(({ type }) => type === 'parcel.completed'));
      }
      const reason = forecastType === 1 ? 'put_away' : 'tracking_ended';
      expect(completed).toMatchObject(state.status === 6 ? [{ data: { forecast_no: 'FC1', po_number: 'PO-1', status: 6, reason } }] : []);
    }),
  );
});

test('announced are at most so many holds, details of a dispatch as they are, and what was counted', () => {
  const start = fresh(2);
  const holdFacts = Array.from(
    { length: MAX_HOLDS_IN_EVENT + 1 },
    (_, at) => ({ kind: 'held', reason: 'Customs', at: isoInstant(-at) }) as const,
  );
  const held = { ...start, progress: { ...start.progress, holdFacts, holdReports: 7 } };
  const [message] = announcements(FORECAST, factOf('warehouse.released', 1), { before: start, after: held }, 0);
  expect(message?.data).toMatchObject({ hold_reports: 7, on_hold: true });
  expect(message).toHaveProperty('data.holds.length', MAX_HOLDS_IN_EVENT);
  const dispatched = { ...factOf('warehouse.dispatched', 1), sealedDetails: 's1.k.AAAA' } as Fact;
  const after = { ...start, ...advance(start, dispatched, 0) };
  expect(announcements(FORECAST, dispatched, { before: start, after }, 0)).toMatchObject([{ data: { sealed_details: 's1.k.AAAA' } }]);
  const counted: Fact = { step: 'warehouse.put-away', report: reportAt(1), receivedItems: [{ sku_code: 'A', quantity: 2 }] };
  expect(announcements(FORECAST, counted, { before: start, after: start }, 0)).toMatchObject([
    { data: { received_items: [{ sku_code: 'A', quantity: 2 }] } },
  ]);
});

const arrival = factOf('warehouse.arrived', 1);

test('the first report that moves a forecast on says where the parcel is', () => {
  expect(foundElsewhere({ status: 1, warehouseCode: 'WH2' }, arrival, 2)).toBe('WH1');
  expect(foundElsewhere({ status: 1, warehouseCode: 'WH1' }, arrival, 2)).toBeUndefined();
});

test('a later report does not, nor one that leaves the status as it is, nor what no warehouse reports', () => {
  expect(foundElsewhere({ status: 2, warehouseCode: 'WH2' }, factOf('warehouse.weighed', 1), 3)).toBeUndefined();
  expect(foundElsewhere({ status: 1, warehouseCode: 'WH2' }, factOf('warehouse.photographed', 1), 1)).toBeUndefined();
  expect(foundElsewhere({ status: 1, warehouseCode: 'WH2' }, { step: 'tracking.ended', trackingNumber: 'T1' }, 6)).toBeUndefined();
});

describe('of several counts', () => {
  const count = (step: 'warehouse.arrived' | 'warehouse.put-away', at: number, quantity: number): Fact => ({
    step,
    report: reportAt(at),
    receivedItems: [{ sku_code: 'A', quantity }],
  });
  const standing = (...list: readonly Fact[]): number | undefined => {
    let state = fresh(1);
    let quantity: number | undefined;
    for (const fact of list) {
      const next = advance(state, fact, 0);
      state = { ...state, ...next };
      quantity = next.receivedItems?.[0]?.quantity ?? quantity;
    }
    return quantity;
  };

  test('the one made last holds, whichever report comes last; of two at one instant the later report', () => {
    expect(standing(count('warehouse.arrived', 1, 10), count('warehouse.put-away', 2, 20))).toBe(20);
    expect(standing(count('warehouse.put-away', 2, 20), count('warehouse.arrived', 1, 10))).toBe(20);
    expect(standing(count('warehouse.arrived', 2, 10), count('warehouse.put-away', 2, 20))).toBe(20);
  });

  test('a report without one changes none', () => {
    expect(standing(count('warehouse.arrived', 1, 10), { step: 'warehouse.put-away', report: reportAt(2) })).toBe(10);
  });
});
