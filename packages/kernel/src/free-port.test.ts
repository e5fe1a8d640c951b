import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { firstPortOf, freePort } from './free-port.ts';

test('a port that is taken is passed over', async () => {
  const next = (await freePort()) + 1;
  const taken = createServer();
  await new Promise<void>((resolve) => {
    // Somebody else may have it already, which comes to the same.
    taken.once('error', () => resolve()).listen(next, '127.0.0.1', resolve);
  });
  expect(await freePort()).toBeGreaterThan(next);
  taken.close();
});

test('processes that start one after the other look in different places, below what a kernel assigns', () => {
  const firsts = Array.from({ length: 500 }, (_, index) => firstPortOf(30_000 + index));
  expect(new Set(firsts).size).toBe(500);
  expect(Math.min(...firsts)).toBeGreaterThanOrEqual(11_000);
  expect(Math.max(...firsts) + 32).toBeLessThanOrEqual(27_000);
  for (const [index, port] of firsts.slice(1).entries()) expect(Math.abs(port - (firsts[index] as number))).toBeGreaterThan(1_000);
});
