import { parseArgs } from 'node:util';
import { killPoints, runKills } from './kill-run.ts';

/*
 * npm run test:kills -- [--kills 100] [--only TEXT] [--json]: kills the platform under load and checks that nothing acknowledged is lost.
 * --only takes kill points whose name has the text.
 */

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, only: { type: 'string', default: '' }, json: { type: 'boolean', default: false } },
});
const points = killPoints.filter((point) => point.includes(values.only));
if (points.length === 0) throw new Error(`No kill point has "${values.only}" in its name`);
const report = await runKills({
  kills: Number(values.kills),
  points,
  onKill: (kill, index) => {
    if (!values.json)
      process.stdout.write(
        `${index + 1}. ${kill.point} at passage ${kill.passage}${kill.atPoint ? '' : ' (not reached, killed from outside)'}\n`,
      );
  },
});
if (values.json) {
  process.stdout.write(`${JSON.stringify(report)}\n`);
} else {
  const atPoint = report.kills.filter((kill) => kill.atPoint).length;
  process.stdout.write(
    `\n${report.kills.length} kills, ${atPoint} at their kill point; acknowledged: ${report.forecasts} forecasts, ${report.corrections} corrections, ` +
      `${report.weighings} weighings, ${report.claims} claims, ${report.dismissals} dismissals; ` +
      `${report.webhooks} webhooks received, ${report.repeatedWebhooks} of them repeats.\n`,
  );
  for (const violation of report.violations) process.stdout.write(`  VIOLATION ${violation}\n`);
  process.stdout.write(
    report.violations.length === 0 ? 'Nothing acknowledged was lost or doubled.\n' : `${report.violations.length} violations.\n`,
  );
}
process.exitCode = report.violations.length === 0 ? 0 : 1;
