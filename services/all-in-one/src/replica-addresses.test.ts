import { expect, test } from '@jest/globals';
import { freePort } from './replica-addresses.ts';

test('no port is given twice, though nobody listens on it yet', async () => {
  const ports: number[] = [];
  for (let count = 0; count < 600; count += 1) ports.push(await freePort());
  expect(new Set(ports).size).toBe(600);
});
