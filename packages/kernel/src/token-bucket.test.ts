import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { levelAfterTake, levelAt, secondsToToken, TOKEN } from './token-bucket.ts';

const limit = { perSecond: 20, burst: 200 };

test('refills at its rate, up to its burst', () => {
  expect([0, 50, 1000, 10_000, 60_000].map((ms) => levelAt({ level: 0, at: 0 }, limit, ms) / TOKEN)).toEqual([0, 1, 20, 200, 200]);
});

test('a clock that is set back adds and takes nothing', () => {
  expect(levelAt({ level: 1500, at: 5000 }, limit, 0)).toBe(1500);
});

test('a request takes a whole token, or does not pass', () => {
  expect([2.5 * TOKEN, TOKEN, TOKEN - 1, 0].map(levelAfterTake)).toEqual([1.5 * TOKEN, 0, undefined, undefined]);
});

test('law: after the seconds that it asks for there is a token, and not a second before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 * TOKEN }), fc.integer({ min: 1, max: 50 }), (level, perSecond) => {
      const slow = { perSecond: perSecond / 100, burst: 10 };
      const seconds = secondsToToken(level, slow);
      const after = (s: number): number => levelAt({ level, at: 0 }, slow, s * 1000);
      return after(seconds) >= TOKEN - 1e-6 && (seconds === 0 || after(seconds - 1) < TOKEN);
    }),
  );
});
