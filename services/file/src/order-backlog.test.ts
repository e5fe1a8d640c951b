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
  return { backlog: new OrderBacklog({ count }, clock), clock, asked: () => asked };
}

test('is full from a hundred thousand orders on, and until they are counted again', async () => {
  const { backlog, clock, asked } = openBacklog([99_999, 100_000, 99_999]);
  expect(await backlog.isFull()).toBe(false);
  clock.advance(15_000);
  expect(await backlog.isFull()).toBe(true);
  clock.advance(14_999);
  expect([await backlog.isFull(), asked()]).toEqual([true, 2]);
  clock.advance(1);
  expect([await backlog.isFull(), asked()]).toEqual([false, 3]);
});

test('counts once for all that ask at once, and for whom a gauge has counted', async () => {
  const { backlog, asked } = openBacklog([100_000]);
  const [counted, ...others] = await Promise.all([backlog.count(), backlog.isFull(), backlog.isFull()]);
  expect([counted, ...others, asked()]).toEqual([100_000, true, true, 1]);
});

test('counts again after a count that failed', async () => {
  const { backlog, asked } = openBacklog([AppError.unavailable('out'), 100_000]);
  await expect(backlog.isFull()).rejects.toMatchObject({ code: '50301' });
  expect([await backlog.isFull(), asked()]).toEqual([true, 2]);
});
