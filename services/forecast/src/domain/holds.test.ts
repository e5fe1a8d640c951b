import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type HoldFact, holdsOf, isOnHold, withHoldFact } from './holds.ts';
import { MAX_KEPT_LARGE } from './kept-list.ts';

const fact = (kind: HoldFact['kind'], atMs: number, reason: string | null = null): HoldFact => ({ kind, reason, at: `at ${atMs}`, atMs });
const held = (atMs: number, reason: string | null = null): HoldFact => fact('held', atMs, reason);
const released = (atMs: number): HoldFact => fact('released', atMs);
const kept = (facts: readonly HoldFact[]): HoldFact[] => facts.reduce<HoldFact[]>(withHoldFact, []);
const holdTexts = (...facts: readonly HoldFact[]): string[] =>
  holdsOf(kept(facts)).map(({ reason, heldAt, releasedAt }) => `${reason ?? '-'}: ${heldAt} → ${releasedAt ?? 'now'}`);

/** Facts of a parcel; those at one instant differ in kind or reason, so that all of them differ. */
const facts = fc.uniqueArray(
  fc
    .record({ kind: fc.constantFrom('held' as const, 'released' as const), atMs: fc.nat(12), reason: fc.constantFrom('a', 'b', null) })
    .map(({ kind, atMs, reason }) => fact(kind, atMs, kind === 'held' ? reason : null)),
  { selector: ({ kind, atMs, reason }) => `${kind} ${atMs} ${reason}`, maxLength: 20 },
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
        for (const { heldAt, releasedAt } of holds) {
          const from = Number(heldAt.slice(3));
          const ends = list.filter(({ kind, atMs }) => kind === 'released' && atMs >= from).map(({ atMs }) => atMs);
          expect(releasedAt).toBe(ends.length === 0 ? null : `at ${Math.min(...ends)}`);
        }
      }),
    );
  });

  test('the latest of all says whether the parcel is on hold, also beyond the bound', () => {
    const many = fc
      .array(facts, { minLength: 8, maxLength: 30 })
      .map((lists) =>
        lists.flatMap((list, round) => list.map((one) => ({ ...one, atMs: one.atMs + 20 * round, at: `at ${one.atMs + 20 * round}` }))),
      );
    fc.assert(
      fc.property(many, (list) => {
        const all = kept(list);
        expect(all.length).toBe(Math.min(list.length, MAX_KEPT_LARGE));
        expect(isOnHold(holdsOf(all))).toBe(all[0]?.kind === 'held');
      }),
    );
  });
});

test('a release ends every hold before it, and none behind it', () => {
  expect(holdTexts(held(1, 'customs'), held(2, 'payment'), released(3), held(4))).toEqual([
    '-: at 4 → now',
    'payment: at 2 → at 3',
    'customs: at 1 → at 3',
  ]);
});

test('a release without a hold is kept and shows nothing, until a hold before it is reported', () => {
  expect(holdTexts(released(5))).toEqual([]);
  expect(holdTexts(released(5), held(7))).toEqual(['-: at 7 → now']);
  expect(holdTexts(released(5), held(3))).toEqual(['-: at 3 → at 5']);
});

test('of a hold and a release at one instant the release is later', () => {
  expect(holdTexts(released(5), held(5))).toEqual(['-: at 5 → at 5']);
});

test('a parcel without facts is not on hold', () => {
  expect(isOnHold(holdsOf([]))).toBe(false);
});
