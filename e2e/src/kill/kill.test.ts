import { expect, test } from '@jest/globals';
import { loadPoints, runKills } from './kill-run.ts';

test('nothing acknowledged is lost or doubled when the process is killed at every kill point', async () => {
  const report = await runKills({ kills: loadPoints.length + 1 });
  expect(report.violations).toEqual([]);
  expect(report.weighings).toBeGreaterThan(loadPoints.length);
  expect(report.claims).toBeGreaterThan(loadPoints.length);
  expect(report.dismissals).toBeGreaterThan(0);
  expect(report.corrections).toBeGreaterThan(report.weighings);
  // The report names points that ended no process; this does not rely on it.
  const reached = report.kills.filter((kill) => kill.atPoint).map((kill) => kill.point);
  expect(reached).toEqual(expect.arrayContaining([...loadPoints]));
}, 600_000);
