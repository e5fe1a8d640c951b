import { describe, expect, test } from '@jest/globals';
import { statusReasons } from '@parcelway/contracts/forecast-api';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import fc from 'fast-check';
import { advance } from './advance.ts';
import { cancel } from './cancellation.ts';
import type { ForecastType } from './canonical.ts';
import type { Fact, Notice } from './fact.ts';
import { initialProgress, type Progress, type WarehouseReport } from './forecast.ts';
import { MAX_KEPT_LARGE } from './kept-list.ts';
import type { Step } from './status-transitions.ts';

interface State {
  readonly status: ForecastStatus;
  readonly forecastType: ForecastType;
  readonly progress: Progress;
}

const fresh = (forecastType: ForecastType): State => ({ status: 1, forecastType, progress: initialProgress(0) });
const photo = (id: number) => ({ id, path: `p${id}`, url: `u${id}`, sizeByte: id, uploadTime: `t${id}`, uploadTimeMs: id % 3 });

const reportAt = (at: number): WarehouseReport => ({
  warehouseCode: 'WH1',
  eventId: `e${at}`,
  expressNo: null,
  occurredAt: `at ${at}`,
  occurredAtMs: at,
});

/** A fact made of one number: equal numbers are the same report, different ones differ in instant. */
function factOf(step: Step, at: number): Fact {
  if (step === 'tracking.ended') return { step };
  const report = reportAt(at);
  if (step === 'warehouse.weighed') {
    const measurement = { lengthCm: 1, widthCm: 1, heightCm: 1, weightKg: at + 1, weighedAt: `at ${at}`, weighedAtMs: at };
    return { step, report, measurement, photos: [{ ...photo(at), expressNo: '' }] };
  }
  if (step === 'warehouse.photographed') return { step, report, photo: { ...photo(at), imageType: 'package', imageOrder: at % 4 } };
  if (step === 'warehouse.dispatched') {
    return { step, report, dispatch: { carrierCode: 'acme', trackingNumber: `T${at % 3}`, dispatchedAt: `at ${at}`, dispatchedAtMs: at } };
  }
  if (step === 'warehouse.exception') {
    return { step, report, exception: { reason: 'damaged', text: null, photos: [photo(at)], occurredAt: `at ${at}`, occurredAtMs: at } };
  }
  if (step === 'warehouse.held') return { step, report, reason: at % 2 === 0 ? null : 'customs' };
  if (step === 'warehouse.released') return { step, report };
  return at % 3 === 0 ? { step, report } : { step, report, receivedItems: [{ skuCode: 'A', quantity: at }] };
}

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
/** A type of forecast, and reports on one. */
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
    const shuffled = reported.chain(([forecastType, list]) =>
      fc.tuple(fc.constant(forecastType), fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([forecastType, one, other]) => {
        const [a, b] = [after(fresh(forecastType), one), after(fresh(forecastType), other)];
        expect(b.status).toBe(a.status);
        expect({ ...b.progress, history: [] }).toEqual({ ...a.progress, history: [] });
      }),
    );
  });

  test('announces every report but a dispatch once, with the status after it, and the completion once', () => {
    const kinds: Partial<Record<Step, Notice['kind']>> = {
      'warehouse.arrived': 'arrived',
      'warehouse.weighed': 'weighed',
      'warehouse.photographed': 'photographed',
      'warehouse.processed': 'processed',
      'warehouse.put-away': 'put_away',
      'warehouse.exception': 'exception',
      'warehouse.held': 'held',
      'warehouse.released': 'released',
    };
    fc.assert(
      fc.property(reported, ([forecastType, list]) => {
        let state = fresh(forecastType);
        const completed: Notice[] = [];
        for (const { step, at } of list) {
          const next = advance(state, factOf(step, at), 0);
          state = { ...state, ...next };
          const kind = kinds[step];
          expect(next.notices.filter(({ kind }) => kind !== 'completed' && kind !== 'dispatched')).toMatchObject(
            kind === undefined ? [] : [{ kind, status: next.status, ...(kind !== 'weighed' && { report: reportAt(at) }) }],
          );
          completed.push(...next.notices.filter(({ kind }) => kind === 'completed'));
        }
        const reason = forecastType === 1 ? 'put_away' : 'tracking_ended';
        expect(completed).toEqual(state.status === 6 ? [{ kind: 'completed', status: 6, reason }] : []);
      }),
    );
  });

  test('announces every measurement once, and the current shipment last', () => {
    fc.assert(
      fc.property(reported, ([forecastType, list]) => {
        let state = fresh(forecastType);
        const notices = list.flatMap(({ step, at }) => {
          const next = advance(state, factOf(step, at), 0);
          state = { ...state, ...next };
          return next.notices;
        });
        const weighed = list.filter(({ step }) => step === 'warehouse.weighed');
        expect(notices.filter(({ kind }) => kind === 'weighed')).toHaveLength(weighed.length);
        const shipments = notices.flatMap((notice) => (notice.kind === 'dispatched' ? [notice.dispatch.trackingNumber] : []));
        expect(shipments.at(-1)).toBe(state.progress.dispatch?.trackingNumber);
        shipments.forEach((number, index) => {
          expect(number).not.toBe(shipments[index - 1]);
        });
      }),
    );
  });

  test('leaves a cancelled forecast cancelled', () => {
    fc.assert(
      fc.property(reported, ([forecastType, list]) => {
        const cancelled = { ...fresh(forecastType), ...cancel(fresh(forecastType), 0) };
        expect(after(cancelled, list).status).toBe(7);
      }),
    );
  });
});

test('a forecast keeps the newest exceptions and no more than its bound', () => {
  let state = fresh(2);
  for (let at = 0; at < MAX_KEPT_LARGE + 5; at += 1) state = { ...state, ...advance(state, factOf('warehouse.exception', at), 0) };
  expect(state.progress.exceptions).toHaveLength(MAX_KEPT_LARGE);
  expect(state.progress.exceptions?.[0]?.occurredAtMs).toBe(MAX_KEPT_LARGE + 4);
});

describe('of several counts', () => {
  const count = (step: 'warehouse.arrived' | 'warehouse.put-away', at: number, quantity: number): Fact => ({
    step,
    report: reportAt(at),
    receivedItems: [{ skuCode: 'A', quantity }],
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

  test('what is counted is not among the progress', () => {
    const { progress } = advance(fresh(1), count('warehouse.arrived', 1, 10), 0);
    expect(progress.counted).toEqual({ at: 'at 1', atMs: 1 });
    expect(JSON.stringify(progress)).not.toContain('quantity');
  });
});

test('a forecast of a former release takes each report', () => {
  const former = { history: [], measurements: [], weighingPhotos: [], attachedPhotos: [], dispatch: null };
  for (const step of steps) {
    const { progress } = advance({ ...fresh(2), progress: former }, factOf(step, 1), 0);
    expect(progress).toMatchObject({ dispatch: step === 'warehouse.dispatched' ? { trackingNumber: 'T1' } : null });
  }
});

test('a type 1 forecast takes no dispatch', () => {
  expect(() => advance(fresh(1), factOf('warehouse.dispatched', 1), 1)).toThrow(expect.objectContaining({ code: '40902' }));
});
