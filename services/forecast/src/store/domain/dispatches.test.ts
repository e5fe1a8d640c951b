import { describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import { isShipped, isTrackedSoon } from '../../lists/domain/is-shipped.ts';
import { dispatchAt } from '../../testing/samples.ts';
import { dispatchesOf, haveAllEnded, isNewDispatch, withDispatch, withEnd } from './dispatches.ts';
import { type Dispatch, initialProgress, type Progress } from './forecast.ts';
import { type HoldFact, holdsOf, isOnHold, withHoldFact } from './holds.ts';
import { MAX_KEPT_LARGE } from './kept-list.ts';

const after = (...dispatches: Dispatch[]): Progress => dispatches.reduce(withDispatch, initialProgress(0));

const numbers = (progress: Progress): string[] => dispatchesOf(progress).map(({ tracking_number }) => tracking_number);

describe('a dispatch', () => {
  test('under a new number is a further parcel; the one that is latest in the warehouse is shown first', () => {
    expect(numbers(initialProgress(0))).toEqual([]);
    expect(after(dispatchAt(1))).toEqual({ ...initialProgress(0), dispatch: dispatchAt(1) });
    const three = after(dispatchAt(2, 'T2'), dispatchAt(1, 'T1'), dispatchAt(3, 'T3'));
    expect(numbers(three)).toEqual(['T1', 'T2', 'T3']);
    expect(three.dispatch).toEqual(dispatchAt(3, 'T3'));
    expect(after(dispatchAt(3, 'T3'), dispatchAt(1, 'T1')).dispatch).toEqual(dispatchAt(3, 'T3'));
  });

  test('under a known number holds when it is the later one in the warehouse; of two at one instant, the later report', () => {
    const known = after(dispatchAt(2), dispatchAt(2, 'T2'));
    expect(withDispatch(known, dispatchAt(1, 'T1', 'ups'))).toBe(known);
    expect(dispatchesOf(withDispatch(known, dispatchAt(2, 'T1', 'ups')))).toEqual([dispatchAt(2, 'T2'), dispatchAt(2, 'T1', 'ups')]);
    expect(after(dispatchAt(1), dispatchAt(4)).dispatch).toEqual(dispatchAt(4));
  });

  test('is refused beyond 50 numbers, and a known number is not', () => {
    const full = after(...Array.from({ length: 50 }, (_none, index) => dispatchAt(index, `T${index}`)));
    expect(() => withDispatch(full, dispatchAt(99, 'T99'))).toThrow('A forecast takes at most 50 parcels');
    expect(withDispatch(full, dispatchAt(99, 'T7')).dispatch?.tracking_number).toBe('T7');
  });

  test('is announced when its carrier or its number is new, also when a later one is known', () => {
    const announced = (before: Progress, reported: Dispatch): boolean => isNewDispatch(before, withDispatch(before, reported), reported);
    expect(announced(after(), dispatchAt(1))).toBe(true);
    expect(announced(after(dispatchAt(1)), dispatchAt(2))).toBe(false);
    expect(announced(after(dispatchAt(1)), dispatchAt(1, 'T1', 'ups'))).toBe(true);
    expect(announced(after(dispatchAt(2)), dispatchAt(1, 'T1', 'ups'))).toBe(false);
    expect(announced(after(dispatchAt(2)), dispatchAt(1, 'T2'))).toBe(true);
    expect(announced(after(dispatchAt(2), dispatchAt(1, 'T2')), dispatchAt(3, 'T2'))).toBe(false);
  });
});

describe('a final status', () => {
  test('of several parcels completes it once each of them has one', () => {
    const two = after(dispatchAt(1), dispatchAt(2, 'T2'));
    const first = withEnd(two, 'T1', true);
    expect([haveAllEnded(two), haveAllEnded(first), haveAllEnded(withEnd(first, 'T2', true))]).toEqual([false, false, true]);
    expect(withEnd(first, 'T1', true)).toBe(first);
  });

  test('of no parcel of the forecast says nothing', () => {
    const one = after(dispatchAt(1));
    expect(withEnd(one, 'T9', true)).toBe(one);
    expect(withEnd(initialProgress(0), 'T1', true)).toEqual(initialProgress(0));
  });

  test('is taken back for a parcel that is under way again', () => {
    const ended = withEnd(after(dispatchAt(1), dispatchAt(2, 'T2')), 'T1', true);
    const resumed = withEnd(ended, 'T1', false);
    expect(haveAllEnded(withEnd(resumed, 'T2', true))).toBe(false);
    expect(withEnd(resumed, 'T1', false)).toBe(resumed);
  });

  test('is taken back for a parcel that is dispatched with another carrier, and not for one that is reported again', () => {
    const ended = withEnd(after(dispatchAt(1), dispatchAt(2, 'T2')), 'T1', true);
    expect(haveAllEnded(withEnd(withDispatch(ended, dispatchAt(3, 'T1', 'ups')), 'T2', true))).toBe(false);
    expect(haveAllEnded(withEnd(withDispatch(ended, dispatchAt(3)), 'T2', true))).toBe(true);
  });
});

const fact = (kind: HoldFact['kind'], atMs: number, reason: string | null = null): HoldFact => ({ kind, reason, at: isoInstant(atMs) });

const kept = (facts: readonly HoldFact[]): HoldFact[] => facts.reduce<HoldFact[]>(withHoldFact, []);

/** Facts of a parcel; those at one instant differ in kind or reason, so that all of them differ. */
const facts = fc.uniqueArray(
  fc
    .record({ kind: fc.constantFrom('held' as const, 'released' as const), atMs: fc.nat(12), reason: fc.constantFrom('a', 'b', null) })
    .map(({ kind, atMs, reason }) => fact(kind, atMs, kind === 'held' ? reason : null)),
  { selector: ({ kind, at, reason }) => `${kind} ${at} ${reason}`, maxLength: 20 },
);

describe('whatever is reported, in whichever order', () => {
  test('makes the same holds', () => {
    const shuffled = facts.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(fc.property(shuffled, ([one, other]) => expect(holdsOf(kept(other))).toEqual(holdsOf(kept(one)))));
  });

  test('each hold lasts to the first release that is not before it', () => {
    fc.assert(
      fc.property(facts, (list) => {
        const holds = holdsOf(kept(list));
        expect(holds).toHaveLength(list.filter(({ kind }) => kind === 'held').length);
        for (const { held_at, released_at } of holds) {
          const ends = list.filter(({ kind, at }) => kind === 'released' && at >= held_at).map(({ at }) => at);
          expect(released_at).toBe(ends.toSorted()[0] ?? null);
        }
      }),
    );
  });

  test('the latest of all says whether the parcel is on hold, also beyond the bound', () => {
    const many = fc
      .array(facts, { minLength: 8, maxLength: 30 })
      .map((lists) => lists.flatMap((list, round) => list.map((one) => ({ ...one, at: isoInstant(Date.parse(one.at) + 20 * round) }))));
    fc.assert(
      fc.property(many, (list) => {
        const all = kept(list);
        expect(all.length).toBe(Math.min(list.length, MAX_KEPT_LARGE));
        expect(isOnHold(holdsOf(all))).toBe(all[0]?.kind === 'held');
      }),
    );
  });
});

describe('is shipped', () => {
  const dispatched = { ...initialProgress(0), dispatch: dispatchAt(1) };

  test('a forecast is shipped from its dispatch on', () => {
    expect(isShipped({ progress: initialProgress(0) })).toBe(false);
    expect(isShipped({ progress: dispatched })).toBe(true);
  });

  test('an untracked parcel is tracked soon for a day from the record of its dispatch on', () => {
    const { history } = initialProgress(0);
    const progress = { ...dispatched, history: [...history, { status: 5 as const, at: 1000, reason: 'warehouse.dispatched' }] };
    expect([1000, 86_400_999, 86_401_000].map((now) => isTrackedSoon({ progress }, now))).toEqual([true, true, false]);
    expect(isTrackedSoon({ progress: initialProgress(0) }, 1000)).toBe(false);
  });
});
