import { expect, test } from '@jest/globals';
import { inPool } from './in-pool.ts';

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

test('nothing to do is done at once', async () => {
  expect(await inPool([], 3, async () => 1)).toEqual([]);
});
