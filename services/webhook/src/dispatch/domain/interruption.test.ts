import { expect, test } from '@jest/globals';
import { Interruption } from './interruption.ts';

test('an interruption ends the attempt once', () => {
  const interruption = new Interruption();
  let ends = 0;
  interruption.onInterrupt(() => {
    ends += 1;
  });
  expect([interruption.done, ends]).toEqual([false, 0]);
  interruption.interrupt();
  interruption.interrupt();
  expect([interruption.done, ends]).toEqual([true, 1]);
});

test('an interruption that comes first ends the attempt at once', () => {
  const interruption = new Interruption();
  interruption.interrupt();
  let ends = 0;
  interruption.onInterrupt(() => {
    ends += 1;
  });
  interruption.interrupt();
  expect(ends).toBe(1);
});
