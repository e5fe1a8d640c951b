import { parseArgs } from 'node:util';
import { runKills } from './kill-run.ts';

/* npm run test:kills -- [--kills 100] [--json]: kills the platform under load and checks that nothing acknowledged is lost. */

const { values } = parseArgs({ options: { kills: { type: 'string', default: '100' }, json: { type: 'boolean', default: false } } });
const report = await runKills({
  kills: Number(values.kills),
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
    `\n${report.kills.length} kills, ${atPoint} at their kill point; acknowledged: ${report.forecasts} forecasts, ${report.weighings} weighings; ` +
      `${report.webhooks} webhooks received, ${report.repeatedWebhooks} of them repeats.\n`,
  );
  for (const violation of report.violations) process.stdout.write(`  VIOLATION ${violation}\n`);
  process.stdout.write(
    report.violations.length === 0 ? 'Nothing acknowledged was lost or doubled.\n' : `${report.violations.length} violations.\n`,
  );
}
process.exitCode = report.violations.length === 0 ? 0 : 1;
