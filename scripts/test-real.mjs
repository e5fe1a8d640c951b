// `npm run test:real`: the drivers of the real servers, and every scenario in distributed mode. Takes the servers that the
// environment names; else containers, where there is an engine; else those of `npm run servers`. REAL_SERVERS=environment,
// containers or local insists on one way. Says which it took, and fails when none can be had.

import { bin, report, root, runJest } from './jest-run.mjs';
import { openRealServers } from './real-servers.mjs';
import { runStep } from './run-step.mjs';

const started = performance.now();
const build = await runStep({ name: 'build', command: [bin('tsc'), '-b'] }, root);
if (!build.ok) {
  report([], [build], started);
  process.exit(1);
}

const servers = await openRealServers();
console.log(`servers: ${servers.what}`);
/** Each scenario starts a platform of its own, of six processes. */
const timeoutMs = 1_500_000;
const env = { ...servers.env, TEST_REAL_SERVERS: '1' };
try {
  const runs = [
    await runJest({
      project: 'unit',
      name: 'drivers on real servers',
      args: ['--testPathPatterns', '\\.int\\.test\\.ts$'],
      env,
      timeoutMs,
    }),
    await runJest({ project: 'e2e', name: 'scenarios in distributed mode', env: { ...env, PARCELWAY_MODE: 'distributed' }, timeoutMs }),
  ];
  process.exitCode = report(runs, [build], started) ? 0 : 1;
} finally {
  await servers.close();
}
