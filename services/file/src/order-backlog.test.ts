import { expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { OrderBacklog } from './order-backlog.ts';

/** A backlog over counts that the test gives. */
function openBacklog(counts: (number | AppError)[]) {
  const clock = new ManualClock(1000);
  let asked = 0;
  const count = async (): Promise<number> => {
    asked += 1;
    const next = counts.shift() ?? 0;
    if (typeof next !== 'number') throw next;
    return next;
  };
  const backlog = new OrderBacklog({ count }, clock);
  /** Asks, lets a count end that this begins, and asks again. */
  const isFull = async (): Promise<boolean> => {
    backlog.isFull();
    await new Promise((resolve) => setImmediate(resolve));
    return backlog.isFull();
  };
  return { backlog, clock, isFull, asked: () => asked };
}

test('is full from a hundred thousand orders on, and until they are counted again', async () => {
  const { isFull, clock, asked } = openBacklog([99_999, 100_000, 99_999]);
  expect(await isFull()).toBe(false);
  clock.advance(15_000);
  expect(await isFull()).toBe(true);
  clock.advance(14_999);
  expect([await isFull(), asked()]).toEqual([true, 2]);
  clock.advance(1);
  expect([await isFull(), asked()]).toEqual([false, 3]);
});

test('counts once for all that ask at once, and not again for whom a gauge has counted', async () => {
  const { backlog, isFull, asked } = openBacklog([100_000]);
  expect(await Promise.all([backlog.count(), backlog.count()])).toEqual([100_000, 100_000]);
  expect([await isFull(), asked()]).toEqual([true, 1]);
});

test('keeps the last count when one fails, and counts again later', async () => {
  const { backlog, isFull, clock, asked } = openBacklog([100_000, AppError.unavailable('out'), AppError.unavailable('out'), 0]);
  expect(await isFull()).toBe(true);
  clock.advance(15_000);
  expect([await isFull(), asked()]).toEqual([true, 2]);
  await expect(backlog.count()).rejects.toMatchObject({ code: '50301' });
  expect([await isFull(), asked()]).toEqual([true, 3]);
  clock.advance(15_000);
  expect([await isFull(), asked()]).toEqual([false, 4]);
});
