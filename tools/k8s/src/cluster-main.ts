// `npm run check:cluster`: runs what is in k8s/ without a cluster of machines. Two halves, of which `--only` names one: `api` applies
// the overlays to an API server, `processes` starts each container of each overlay as a process. The last line is `N passed, N failed`.
import { parseArgs } from 'node:util';
import { checkProcesses } from './pods/check-processes.ts';

/** Each prints a line for each thing that it checks. */
const halves: Record<string, () => Promise<{ readonly passed: number; readonly failed: number }>> = { processes: checkProcesses };

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
if (only !== undefined && !Object.hasOwn(halves, only)) {
  console.error(`--only ${only}: use one of ${Object.keys(halves).join(', ')}`);
  process.exit(2);
}
const counts = { passed: 0, failed: 0 };
for (const name of only === undefined ? Object.keys(halves) : [only]) {
  const { passed, failed } = await (halves[name] as (typeof halves)[string])();
  counts.passed += passed;
  counts.failed += failed;
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
