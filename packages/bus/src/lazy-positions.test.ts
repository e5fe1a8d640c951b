import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LazyPositions } from './lazy-positions.ts';

let written: (readonly [string, number])[][];
/** Failures that were heard of: true for the last of all. */
let failures: boolean[];
/** How the next writes end; well when there is nothing left. */
let outcomes: Promise<void>[];
let positions: LazyPositions<string, number>;

beforeEach(() => {
  jest.useFakeTimers();
  [written, failures, outcomes] = [[], [], []];
  positions = new LazyPositions({
    delayMs: 250,
    write: async (moved) => {
      written.push([...moved]);
      await outcomes.shift();
    },
    failed: (_error, isLast) => failures.push(isLast),
  });
});
afterEach(() => {
  jest.useRealTimers();
});

const out = (): Promise<never> => {
  const failing = Promise.reject<never>(new Error('out'));
  failing.catch(() => undefined);
  return failing;
};

test('what has moved is written together, each at its last place, and once', async () => {
  positions.moved('a', 5);
  positions.moved('b', 7);
  positions.moved('a', 6);
  await jest.advanceTimersByTimeAsync(300);
  const together = [
    ['a', 6],
    ['b', 7],
  ];
  expect(written).toEqual([together]);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(written).toEqual([together]);
});

test('what moves during a write is written after it', async () => {
  let end = (): void => undefined;
  outcomes.push(new Promise((resolve) => (end = resolve)));
  positions.moved('a', 5);
  const first = positions.flush();
  await jest.advanceTimersByTimeAsync(0);
  positions.moved('a', 6);
  const second = positions.flush();
  await jest.advanceTimersByTimeAsync(0);
  expect(written).toEqual([[['a', 5]]]);
  end();
  await Promise.all([first, second]);
  expect(written).toEqual([[['a', 5]], [['a', 6]]]);
});

test('what fails in the background is retried with what has moved since, after a pause, until it succeeds, and is heard of once', async () => {
  outcomes.push(out(), out());
  positions.moved('a', 5);
  positions.moved('b', 1);
  await jest.advanceTimersByTimeAsync(300);
  positions.moved('a', 6);
  await jest.advanceTimersByTimeAsync(900);
  expect(written).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(5000);
  expect(written.slice(1)).toEqual([1, 2].map(() => Object.entries({ a: 6, b: 1 })));
  expect(failures).toEqual([false]);
});

test('a flush that fails says so, and is retried though nothing more moves', async () => {
  outcomes.push(out());
  positions.moved('a', 5);
  await expect(positions.flush()).rejects.toThrow('out');
  await jest.advanceTimersByTimeAsync(1000);
  expect([written.length, failures]).toEqual([2, []]);
});

test('what was forgotten is not written, also when its write under way fails afterwards', async () => {
  let refuse = (_error: Error): void => undefined;
  outcomes.push(new Promise((_, reject) => (refuse = reject)));
  positions.moved('a', 5);
  const outcome = expect(positions.flush()).rejects.toThrow('not yours');
  await jest.advanceTimersByTimeAsync(0);
  positions.moved('b', 1);
  positions.forget();
  refuse(new Error('not yours'));
  await outcome;
  await positions.flush();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(written).toEqual([[['a', 5]]]);
});

test('once closed nothing is tried again', async () => {
  outcomes.push(out());
  positions.moved('a', 5);
  await positions.close();
  positions.moved('a', 6);
  await jest.advanceTimersByTimeAsync(10_000);
  expect([written.length, failures]).toEqual([1, [true]]);
});
