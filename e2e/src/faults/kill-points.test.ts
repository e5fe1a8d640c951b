import { expect, test } from '@jest/globals';
import { loadPoints, runKills } from './kill-points.ts';

test('nothing acknowledged is lost or doubled when the process is killed at every kill point', async () => {
  const { violations, kills, weighings, claims, dismissals, corrections } = await runKills(
    [...loadPoints, 'random'],
    loadPoints.length + 1,
  );
  expect(violations).toEqual([]);
  expect(Math.min(weighings, claims)).toBeGreaterThan(loadPoints.length);
  expect(dismissals).toBeGreaterThan(0);
  expect(corrections).toBeGreaterThan(weighings);
  // The report names points that ended no process; this does not rely on it.
  const reached = kills.filter(({ atPoint }) => atPoint).map(({ point }) => point);
  expect(reached).toEqual(expect.arrayContaining([...loadPoints]));
}, 600_000);
