import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from './app-error.ts';
import { backOffMs } from './back-off.ts';
import { inPool } from './in-pool.ts';
import { lastTryAt, untilWritten } from './optimistic-write.ts';
import { togetherOrEach } from './together-or-each.ts';
import { levelAfterTake, levelAt, secondsToToken, TOKEN } from './token-bucket.ts';

test('does so many at a time, and keeps the order and the failures', async () => {
  let running = 0;
  let most = 0;
  const results = await inPool([5, 1, 3, 2, 4], 2, async (value) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (value === 3) throw new Error('three');
    return value * 10;
  });
  const settled = await Promise.allSettled(results);
  expect(most).toBe(2);
  expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message))).toEqual([50, 10, 'three', 20, 40]);
});

test('works on all together, and on each alone when one is bad', async () => {
  const calls: number[][] = [];
  const bad: unknown[] = [];
  const work = async (items: readonly number[]): Promise<number[]> => {
    calls.push([...items]);
    if (items.includes(2)) throw new Error('two is bad');
    return items.map((item) => item * 10);
  };
  const note = (item: number, error: unknown): void => void bad.push([item, String(error)]);
  expect(await togetherOrEach([1, 3], work, note)).toEqual([10, 30]);
  expect(await togetherOrEach([], work, note)).toEqual([]);
  expect(await togetherOrEach([1, 2, 3], work, note)).toEqual([10, 30]);
  expect(calls).toEqual([[1, 3], [1, 2, 3], [1], [2], [3]]);
  expect(bad).toEqual([[2, 'Error: two is bad']]);
});

test('an outage is that of all', async () => {
  const work = async (): Promise<never> => Promise.reject(AppError.unavailable('The store is out'));
  await expect(togetherOrEach([1, 2], work, () => undefined)).rejects.toMatchObject({ code: '50301' });
});

test('an attempt is repeated until nobody else was quicker', async () => {
  let attempts = 0;
  const written = await untilWritten(async () => {
    attempts += 1;
    return attempts === 3 ? 'written' : undefined;
  });
  expect([written, attempts]).toEqual(['written', 3]);
});

test('no attempt begins after the end', async () => {
  const attempt = async () => 'written';
  await expect(untilWritten(attempt, performance.now() - 1)).rejects.toMatchObject({ code: '50301' });
  await expect(untilWritten(attempt, lastTryAt())).resolves.toBe('written');
});

test('lost races end with 50301', async () => {
  let attempts = 0;
  const lost = untilWritten(async () => {
    attempts += 1;
    return undefined;
  });
  await expect(lost).rejects.toMatchObject({ code: '50301' });
  expect(attempts).toBeGreaterThan(5);
});

const pauses = { firstMs: 200, maxMs: 30_000 };

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
