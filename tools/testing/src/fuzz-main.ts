// `npm run fuzz`: requests made of the contract, in far greater number than the tests send: FUZZ_RUNS of them for each route,
// default 2000. FUZZ_SEED repeats those of a failure. The last line is `N passed, N failed`.
import { report, runJest } from './jest-run.ts';

const started = performance.now();
const run = await runJest({
  project: 'e2e',
  name: 'requests made of the contract',
  args: ['--testPathPatterns', 'e2e/src/scenarios/fuzz'],
  env: { FUZZ_RUNS: process.env.FUZZ_RUNS ?? '2000' },
  timeoutMs: 60 * 60_000,
});
process.exitCode = report([run], [], started) ? 0 : 1;
