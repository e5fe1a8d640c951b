import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runStep } from './run-step.mjs';

/** The folder of the repository, with a slash at the end. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A program that npm has installed. */
export const bin = (name) => `${root}node_modules/.bin/${name}`;

/**
 * Runs one jest project and counts its tests.
 * @param options.project name of the project
 * @param options.name what the run is called; default `<project> tests`
 * @param options.args further arguments of jest
 * @param options.env further environment variables
 * @param options.timeoutMs bound on the whole run; default 15 minutes, several times what a small machine needs
 */
export async function runJest({ project, name = `${project} tests`, args = [], env = {}, timeoutMs = 900_000 }) {
  const results = `${root}.cache/jest-${name.replaceAll(/\W+/g, '-')}.json`;
  mkdirSync(`${root}.cache`, { recursive: true });
  // An old result must never pass for the new one.
  rmSync(results, { force: true });
  const command = [bin('jest'), '--selectProjects', project, '--json', '--outputFile', results, ...args];
  const nodeOptions = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
  const step = await runStep({ name, command, env: { NODE_OPTIONS: nodeOptions, ...env }, live: true, timeoutMs }, root);
  return { ...step, ...countTests(results) };
}

/** What jest wrote: tests that passed and failed, suites that did not load. */
function countTests(results) {
  let result;
  try {
    result = JSON.parse(readFileSync(results, 'utf8'));
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

/**
 * Prints what the runs came to; the last line is `N passed, N failed`. A jest that ends badly without a failed test (killed,
 * no tests found) is a failure of its own.
 * @param runs outcomes of {@link runJest}
 * @param checks steps without tests of their own; a failed one counts as one failure
 * @param started `performance.now()` at the beginning
 * @returns true when nothing failed
 */
export function report(runs, checks, started) {
  const sum = (field) => runs.reduce((total, { [field]: count }) => total + count, 0);
  const failedChecks = checks.filter((step) => !step.ok);
  const broken = runs.filter((run) => !run.ok && run.failed === 0).length + runs.filter((run) => run.ok && run.passed === 0).length;
  const failed = sum('failed') + broken + failedChecks.length;
  console.log('');
  for (const run of runs) {
    console.log(`${run.name}: ${run.passed} passed, ${run.failed} failed, ${run.skipped} skipped in ${run.seconds.toFixed(0)} s`);
  }
  console.log(
    `checks: ${checks.length - failedChecks.length} of ${checks.length} ok${failedChecks.map((step) => `; failed: ${step.name}`).join('')}`,
  );
  console.log(`took ${((performance.now() - started) / 1000).toFixed(0)} s`);
  console.log(`${sum('passed')} passed, ${failed} failed`);
  return failed === 0;
}
