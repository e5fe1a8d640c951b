import { expect, test } from '@jest/globals';
import { rollOut } from '../rollout/rollout.ts';

/* The short form of `npm run test:rollout`, which restarts every service. */

const timing = { preStopMs: 1000, endpointsWithinMs: 600, graceMs: 30_000, readyWithinMs: 60_000 };

test('a rolling restart of a service under load is noticed by nobody', async () => {
  const said: string[] = [];
  const { violations, steps, failures, ledger } = await rollOut({
    services: ['forecast'],
    rounds: 1,
    parcelsPerSecond: 5,
    timing,
    say: (line) => said.push(line),
  });
  expect({ violations, said }).toEqual({ violations: [], said });
  expect(failures).toEqual([]);
  expect(steps.map(({ from, end }) => [from, end.code])).toEqual([
    ['forecast-1', 0],
    ['forecast-2', 0],
  ]);
  for (const { requests } of steps) expect(requests).toBeGreaterThan(10);
  expect(ledger.weighings).toBeGreaterThan(10);
}, 180_000);
