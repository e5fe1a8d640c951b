// `npm run test:long`: what takes too long for every change. Every scenario in both modes, kills, faults, restores, and each page of the documentation in a browser.
// Faults in rows, mutants and fuzzing at length have commands of their own. The last line is `N passed, N failed`.
import { findBrowser } from './browser.ts';
import { build, report, root, runJest } from './jest-run.ts';
import { openRealServers } from './real-servers.ts';
import { runStep } from './run-step.ts';

const started = performance.now();
const steps = [await runStep(build, root)];
const env = { TEST_LONG: '1' };
const timeoutMs = 5_400_000;
const runs = [];
if (steps.every(({ ok }) => ok)) {
  runs.push(await runJest({ project: 'e2e', name: 'every scenario, embedded', env, timeoutMs }));
  const browser = { ...env, CHROMIUM_PATH: findBrowser(), PARCELWAY_MODE: 'embedded' };
  runs.push(await runJest({ project: 'browser', name: 'every page', env: browser, timeoutMs }));
  const servers = await openRealServers();
  console.log(`servers: ${servers.what}`);
  const distributed = { ...env, ...servers.env, PARCELWAY_MODE: 'distributed' };
  try {
    const drivers = { ...env, ...servers.env, TEST_REAL_SERVERS: '1' };
    const args = ['--testPathPatterns', '\\.int\\.test\\.ts$'];
    runs.push(await runJest({ project: 'unit', name: 'drivers on real servers', args, env: drivers, timeoutMs }));
    runs.push(await runJest({ project: 'e2e', name: 'every scenario, distributed', env: distributed, timeoutMs }));
    runs.push(
      await runJest({ project: 'replicas', name: 'several processes of each service', args: ['--runInBand'], env: distributed, timeoutMs }),
    );
  } finally {
    await servers.close();
  }
}
process.exitCode = report(runs, steps, started) ? 0 : 1;
