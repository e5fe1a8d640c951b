import { expect, test } from '@jest/globals';
import { failpointNames } from '@parcelway/kernel/failpoint';
import { runKills } from './kill-run.ts';

test('nothing acknowledged is lost or doubled when the process is killed at every kill point', async () => {
  const report = await runKills({ kills: failpointNames.length + 1 });
  expect(report.violations).toEqual([]);
  expect(report.weighings).toBeGreaterThan(failpointNames.length);
  // A kill point that is never reached tests nothing: each has to have ended the process itself.
  const reached = report.kills.filter((kill) => kill.atPoint).map((kill) => kill.point);
  expect(reached).toEqual(expect.arrayContaining([...failpointNames]));
}, 180_000);
