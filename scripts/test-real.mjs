// `npm run test:real`: the merchant's page in a real browser, the drivers of the real servers, and every scenario in
// distributed mode. Takes the servers that the environment names; else containers, where there is an engine; else those of
// `npm run servers`. REAL_SERVERS=environment, containers or local insists on one way. Says which it took, and fails when none can be had.

import { findBrowser } from './browser.mjs';
import { bin, report, root, runJest } from './jest-run.mjs';
import { openRealServers } from './real-servers.mjs';
import { runStep } from './run-step.mjs';

const started = performance.now();
const builds = [
  await runStep({ name: 'build', command: [bin('tsc'), '-b'] }, root),
  await runStep({ name: 'build of the console', command: [process.execPath, 'scripts/build-console.mjs'] }, root),
];
if (builds.some((build) => !build.ok)) {
  report([], builds, started);
  process.exit(1);
}

/** The merchant's page in a browser. It runs on the embedded platform, so that only the browser has to be had. */
async function testPage() {
  const name = 'the console in a browser';
  try {
    const CHROMIUM_PATH = findBrowser();
    console.log(`browser: ${CHROMIUM_PATH}`);
    return await runJest({ project: 'browser', name, env: { CHROMIUM_PATH, PARCELWAY_MODE: 'embedded' }, timeoutMs: 600_000 });
  } catch (error) {
    console.error(`FAIL  ${name}: ${error.message}`);
    return { name, ok: false, passed: 0, failed: 1, skipped: 0, seconds: 0 };
  }
}
const page = await testPage();

const servers = await openRealServers();
console.log(`servers: ${servers.what}`);
/** Each scenario starts a platform of its own, of six processes. */
const timeoutMs = 1_500_000;
const env = { ...servers.env, TEST_REAL_SERVERS: '1' };
const distributed = { ...env, PARCELWAY_MODE: 'distributed' };
try {
  const runs = [
    page,
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
    // By itself: two processes of each service and their successors are as much as a small machine can serve in time.
    await runJest({ project: 'rollout', name: 'a rolling restart', env: distributed, timeoutMs }),
  ];
  process.exitCode = report(runs, builds, started) ? 0 : 1;
} finally {
  await servers.close();
}
