// `npm run check:cluster`: runs what is in k8s/ without a cluster of machines. Two halves, of which `--only` names one: `api` applies
// the overlays to an API server (`--if-cached` skips it when that would have to be built), `processes` starts each container of each overlay as a process. The last line is `N passed, N failed`.
import { parseArgs } from 'node:util';
import { checkApi } from './cluster/check-api.ts';
import { checkProcesses } from './pods/check-processes.ts';

const { only, 'if-cached': ifCached } = parseArgs({
  options: { only: { type: 'string' }, 'if-cached': { type: 'boolean', default: false } },
}).values;

/** Each prints a line for each thing that it checks. */
const halves: Record<string, () => Promise<{ readonly passed: number; readonly failed: number }>> = {
  api: () => checkApi({ ifCached }),
  processes: checkProcesses,
};

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
process.exitCode = counts.failed === 0 ? 0 : 1;
