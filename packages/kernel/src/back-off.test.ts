import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { backOffMs } from './back-off.ts';

const pauses = { firstMs: 200, maxMs: 30_000 };

test('doubles from the first pause to the longest', () => {
  expect([1, 2, 3, 4, 8, 9, 10_000].map((failures) => backOffMs(pauses, failures))).toEqual([200, 400, 800, 1600, 25_600, 30_000, 30_000]);
});

test('can grow by another factor', () => {
  expect([1, 2, 3, 20].map((failures) => backOffMs({ ...pauses, factor: 8 }, failures))).toEqual([200, 1600, 12_800, 30_000]);
});

test('law: a pause is whole, and lies between its ceiling and the share that is not left to chance', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, jitter, random) => {
        const ceiling = Math.min(30_000, 200 * 2 ** (failures - 1));
        const pause = backOffMs({ ...pauses, jitter }, failures, random);
        return Number.isInteger(pause) && pause >= Math.floor(ceiling * (1 - jitter)) && pause <= ceiling;
      },
    ),
  );
});

test('randomizes one half by default', () => {
  expect([0, 0.5, 1].map((random) => backOffMs(pauses, 1, random))).toEqual([100, 150, 200]);
  expect([0, 1].map((random) => backOffMs({ ...pauses, jitter: 1 }, 1, random))).toEqual([0, 200]);
});
