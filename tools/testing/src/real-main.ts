// `npm run test:real`: every scenario in one process, the console and the station in a real browser, the drivers of the real servers, and scenarios in
// distributed mode. Pages and scenarios run on the Node.js of the images. Takes the servers that the environment names; else containers, where there is an engine;
// else those of `npm run servers`. REAL_SERVERS=environment, containers or local insists on one way. Says which it took, and fails when none can be had.
// `npm run test:long` is the same with what takes too long for every change: every scenario in both modes, kills, faults, restores, and each page of the documentation.
import { messageOf } from '@parcelway/tools-servers/caught-error';
import { findBrowser } from './browser.ts';
import { build, report, root, runJest } from './jest-run.ts';
import { onRuntime } from './node-versions.ts';
import { openRealServers } from './real-servers.ts';
import { runStep } from './run-step.ts';

const started = performance.now();
const builds = [await runStep(build, root)];
if (builds.some(({ ok }) => !ok)) {
  report([], builds, started);
  process.exit(1);
}

/** Starts of the platform share what that Node.js compiled. */
const runtime = { ...onRuntime(), NODE_COMPILE_CACHE: `${root}.cache/compiled` };

/** Half of the scenarios start a platform of their own, of six processes: a slow machine needs more than half of this. */
const timeoutMs = process.env.TEST_LONG === '1' ? 5_400_000 : 2_400_000;

/** An outage is waited for, not computed: it runs beside the others. */
const OUTAGE = 'station/outage\\.test';

/** The console and the station in a browser. They run on the embedded platform, so that only the browser has to be had. */
async function testPages() {
  const name = 'the console and the station in a browser';
  try {
    const CHROMIUM_PATH = findBrowser();
    console.log(`browser: ${CHROMIUM_PATH}`);
    const env = { ...runtime, CHROMIUM_PATH, PARCELWAY_MODE: 'embedded' };
    const run = { project: 'browser', env, timeoutMs };
    return await Promise.all([
      runJest({ ...run, name, args: ['--testPathPatterns', `^(?!.*${OUTAGE})`] }),
      runJest({ ...run, name: 'the station in an outage', args: ['--runInBand', '--testPathPatterns', OUTAGE] }),
    ]);
  } catch (error) {
    console.error(`FAIL  ${name}: ${messageOf(error)}`);
    return [{ name, ok: false, passed: 0, failed: 1, skipped: 0, seconds: 0 }];
  }
}
const embedded = { ...runtime, PARCELWAY_MODE: 'embedded' };
const scenarios = await runJest({ project: 'e2e', name: 'scenarios in one process', env: embedded, timeoutMs });
const pages = await testPages();

const servers = await openRealServers();
console.log(`servers: ${servers.what}`);
const env = { ...servers.env, TEST_REAL_SERVERS: '1' };
const distributed = { ...env, ...runtime, PARCELWAY_MODE: 'distributed' };
try {
  const runs = [
    scenarios,
    ...pages,
    await runJest({
      project: 'unit',
      name: 'drivers on real servers',
      args: ['--testPathPatterns', '\\.int\\.test\\.ts$'],
      env,
      timeoutMs,
    }),
    await runJest({
      project: 'e2e',
      name: 'scenarios in distributed mode',
      env: distributed,
      timeoutMs,
    }),
    // One suite at a time: several processes of each service are as much as a small machine can start and serve in time.
    await runJest({
      project: 'replicas',
      name: 'several processes of each service',
      args: ['--runInBand'],
      env: distributed,
      timeoutMs,
    }),
  ];
  process.exitCode = report(runs, builds, started) ? 0 : 1;
} finally {
  await servers.close();
}
