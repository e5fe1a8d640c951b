// `npm run test:node`: does the product start, serve and stop on the other supported versions of Node.js, and do its drivers work there? Takes the version of
// the images and the oldest that `engines` allows; `npm run test:node -- 26.10.0` another one. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { build, report, root, runJest } from './jest-run.ts';
import { installNode, OLDEST, onNode, RUNTIME } from './node-versions.ts';
import { runStep } from './run-step.ts';

const started = performance.now();
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const major = (version: string) => version.split('.')[0];
const versions = named.length > 0 ? named : [RUNTIME, OLDEST].filter((version) => major(version) !== major(process.versions.node));

const steps = [await runStep(build, root)];
const runs = [];
for (const version of steps.every(({ ok }) => ok) ? versions : []) {
  const env = onNode(installNode(version));
  const found = spawnSync('node', ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8' }).stdout?.trim();
  if (found !== `v${version}`) throw new Error(`Expected Node.js v${version} at the front of PATH, found ${found}`);
  console.log(`Node.js: ${found}`);
  const drivers = ['--testPathPatterns', '/packages/(sqlite|blobs|bus|cache)/|/worker-'];
  const smoke = ['--testPathPatterns', '/e2e/src/(process/(npm-start|process-end|service-start)|scenarios/journey)\\.'];
  runs.push(await runJest({ project: 'unit', name: `drivers on Node.js ${version}`, args: drivers, env }));
  runs.push(await runJest({ project: 'e2e', name: `start, smoke and stop on Node.js ${version}`, args: smoke, env }));
}
process.exitCode = report(runs, steps, started) ? 0 : 1;
