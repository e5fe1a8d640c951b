import { describe, expect, test } from '@jest/globals';
import { statusReasons } from '@parcelway/contracts/forecast-api';
import fc from 'fast-check';
import { factOf, fresh, reported, type State, stepsOf, type } from '../testing/fact-histories.ts';
import { advance } from './advance.ts';
import { cancel } from './cancellation.ts';
import type { ForecastType } from './canonical.ts';
import { MAX_KEPT_LARGE } from './kept-list.ts';
import type { Step } from './status-transitions.ts';

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

test('a type 1 forecast takes no dispatch', () => {
  expect(() => advance(fresh(1), factOf('warehouse.dispatched', 1), 1)).toThrow(expect.objectContaining({ code: '40902' }));
});
