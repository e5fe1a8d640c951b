// `npm run test:node`: the unit tests and the embedded scenarios of the product, but for faults, on the supported versions of Node.js that do not run this command: the one of
// the images, and the oldest one that `engines` allows. `npm run test:node -- 26.10.0` takes another version. With `--without-scenarios`, of the scenarios only what starts and
// ends processes, and of the unit tests those of packages, threads and child processes, which use what differs between versions: `npm run test:real` runs the whole product on the version of the images. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { bin, report, root, runJest } from './jest-run.ts';
import { installNode, OLDEST, onNode, RUNTIME } from './node-versions.ts';
import { runStep } from './run-step.ts';

const started = performance.now();
const hasScenarios = !process.argv.includes('--without-scenarios');
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const major = (version: string) => version.split('.')[0];
const versions = named.length > 0 ? named : [RUNTIME, OLDEST].filter((version) => major(version) !== major(process.versions.node));

const steps = [
  await runStep({ name: 'build', command: [bin('tsc'), '-b'] }, root),
  await runStep({ name: 'build of the console', command: [process.execPath, 'tools/build/dist/pages-main.js'] }, root),
];
const runs = [];
for (const version of steps.every(({ ok }) => ok) ? versions : []) {
  const env = { ...onNode(installNode(version)), TEST_PRODUCT_ONLY: '1' };
  const found = spawnSync('node', ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8' }).stdout?.trim();
  if (found !== `v${version}`) throw new Error(`Expected Node.js v${version} at the front of PATH, found ${found}`);
  console.log(`Node.js: ${found}`);
  const processes = hasScenarios ? [] : ['--testPathPatterns', '/e2e/src/(process|upgrade)/'];
  const users = hasScenarios ? [] : ['--testPathPatterns', '/packages/|/all-in-one/|/worker-'];
  runs.push(await runJest({ project: 'unit', name: `unit tests on Node.js ${version}`, args: users, env }));
  runs.push(await runJest({ project: 'e2e', name: `e2e tests on Node.js ${version}`, args: processes, env }));
}
process.exitCode = report(runs, steps, started) ? 0 : 1;
