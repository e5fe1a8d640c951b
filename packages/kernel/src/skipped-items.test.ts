import { expect, test } from '@jest/globals';
import { MAX_TRIES, SkippedItems } from './skipped-items.ts';

const MINUTE = 60_000;

test('one that fails is tried again after a pause that grows to a day, and not for ever', () => {
  const skipped = new SkippedItems(10);
  expect(skipped.isDue('a', 0)).toBe(true);
  expect([skipped.failed('a', 0), skipped.failed('a', 0)]).toEqual([1, 2]);
  expect([20 * MINUTE - 1, 20 * MINUTE].map((now) => skipped.isDue('a', now))).toEqual([false, true]);
  for (let tries = 3; tries < MAX_TRIES; tries += 1) skipped.failed('a', 0);
  expect([86_399_999, 86_400_000].map((now) => skipped.isDue('a', now))).toEqual([false, true]);
  expect(skipped.failed('a', 0)).toBe(MAX_TRIES);
  expect(skipped.isDue('a', Number.MAX_SAFE_INTEGER)).toBe(false);
  skipped.settled('a');
  expect([skipped.isDue('a', 0), skipped.size]).toEqual([true, 0]);
});

test('keeps a bounded number, and forgets none when one of them fails again', () => {
  const skipped = new SkippedItems(2);
  for (const key of ['a', 'b', 'b']) skipped.failed(key, 0);
  expect([skipped.isDue('a', 0), skipped.isDue('b', 0), skipped.size]).toEqual([false, false, 2]);
  skipped.failed('c', 0);
  expect([skipped.isDue('a', 0), skipped.isDue('b', 0), skipped.size]).toEqual([true, false, 2]);
});
