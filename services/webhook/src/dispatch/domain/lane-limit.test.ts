import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { INITIAL_LANE_LIMIT, limitAfter, MAX_LANE_LIMIT } from './lane-limit.ts';

describe('the limit of a lane', () => {
  test('stays between one and the maximum whatever happens', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('succeeded', 'failed', 'hung')), (outcomes) => {
        for (const limit of [outcomes.reduce<number>(limitAfter, INITIAL_LANE_LIMIT)]) {
          expect(limit).toBeGreaterThanOrEqual(1);
          expect(limit).toBeLessThanOrEqual(MAX_LANE_LIMIT);
        }
      }),
    );
    expect([limitAfter(8, 'succeeded'), limitAfter(8, 'failed'), limitAfter(8, 'hung')]).toEqual([9, 4, 1]);
  });
});

test.each([
  [8, 'succeeded', 9],
  [31, 'succeeded', 32],
  [32, 'succeeded', 32],
  [9, 'failed', 4],
  [2, 'failed', 1],
  [1, 'failed', 1],
  [32, 'hung', 1],
] as const)('a limit of %i is, after an attempt that has %s, %i', (limit, outcome, next) => expect(limitAfter(limit, outcome)).toBe(next));

test('an unknown endpoint begins with eight at a time, of at most 32', () => {
  expect([INITIAL_LANE_LIMIT, MAX_LANE_LIMIT]).toEqual([8, 32]);
});
