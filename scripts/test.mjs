// `npm test`: every check and every test, what fails fast first. The last line is `N passed, N failed`: the tests that
// really ran; a suite that could not be loaded and a failed check (build, lint, layering, …) count as one failure each.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runStep } from './run-step.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => `${root}node_modules/.bin/${name}`;
const resultsOf = (project) => `${root}.cache/jest-${project}.json`;

/** Checks without tests of their own; those of one row run side by side, on two cores. */
const checks = [
  [{ name: 'build', command: [bin('tsc'), '-b'] }],
  [
    { name: 'types of the tests', command: [bin('tsc'), '-p', 'tsconfig.tests.json'] },
    { name: 'lint and format', command: [bin('biome'), 'check', '.'] },
  ],
  [
    { name: 'layering', command: ['npm', 'run', '--silent', 'layers'] },
    { name: 'unused code', command: ['npm', 'run', '--silent', 'unused'] },
  ],
];

const projects = ['unit', 'e2e'];

/** Runs the tests of one jest project. */
async function runTests(project) {
  mkdirSync(`${root}.cache`, { recursive: true });
  // An old result must never pass for the new one.
  rmSync(resultsOf(project), { force: true });
  const command = [bin('jest'), '--selectProjects', project, '--json', '--outputFile', resultsOf(project)];
  const env = { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' };
  const step = await runStep({ name: `${project} tests`, command, env, live: true }, root);
  return { ...step, ...countTests(project) };
}

/** What jest wrote about a project: tests that passed and failed, suites that did not load. */
function countTests(project) {
  let result;
  try {
    result = JSON.parse(readFileSync(resultsOf(project), 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return { passed: 0, failed: 0, skipped: 0 };
  }
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

const started = performance.now();
const steps = [];
for (const row of checks) steps.push(...(await Promise.all(row.map((step) => runStep(step, root)))));
const failedChecks = steps.filter((step) => !step.ok);

// The scenarios start what was built: after a failed build they would test something older.
const built = !failedChecks.some((step) => step.name === 'build');
const tests = [];
for (const project of projects) {
  if (project === 'e2e' && !built) console.log('skip  e2e tests: the build failed');
  else tests.push(await runTests(project));
}

const sum = (field) => tests.reduce((total, { [field]: count }) => total + count, 0);
const passed = sum('passed');
// A jest that ends badly without a failed test (killed, no tests found) is a failure of its own.
const broken = tests.filter((run) => !run.ok && run.failed === 0).length + tests.filter((run) => run.ok && run.passed === 0).length;
const failed = sum('failed') + broken + failedChecks.length;

console.log('');
for (const run of tests) {
  console.log(`${run.name}: ${run.passed} passed, ${run.failed} failed, ${run.skipped} skipped in ${run.seconds.toFixed(0)} s`);
}
console.log(
  `checks: ${steps.length - failedChecks.length} of ${steps.length} ok${failedChecks.map((step) => `; failed: ${step.name}`).join('')}`,
);
console.log(`took ${((performance.now() - started) / 1000).toFixed(0)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
