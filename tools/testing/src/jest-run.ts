import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeOf } from '@parcelway/tools-servers/caught-error';
import { runStep, type Step, type StepOutcome } from './run-step.ts';

/** The folder of the repository, with a slash at the end. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A program that npm has installed. */
export const bin = (name: string) => `${root}node_modules/.bin/${name}`;

/** Builds everything that has changed, pages included. */
export const build: Step = { name: 'build', command: [process.execPath, 'tools/build/build.mjs'], live: true };

/** A run of one jest project. */
export interface JestRun {
  readonly project: string;
  /** What the run is called; default `<project> tests`. */
  readonly name?: string;
  /** Further arguments of jest. */
  readonly args?: readonly string[];
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Bound on the whole run; default 25 minutes. A small machine that has other work needs more than half of it. */
  readonly timeoutMs?: number;
}

/** Tests that passed, failed and were skipped. */
interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** How a run of jest went. */
export type JestOutcome = Omit<StepOutcome, 'output'> & TestCounts;

/** What is read of the report that jest writes. */
interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

/** Runs one jest project and counts its tests. */
export async function runJest({
  project,
  name = `${project} tests`,
  args = [],
  env = {},
  timeoutMs = 1_500_000,
}: JestRun): Promise<StepOutcome & TestCounts> {
  const results = `${root}.cache/jest-${name.replaceAll(/\W+/g, '-')}.json`;
  mkdirSync(`${root}.cache`, { recursive: true });
  // An old result must never pass for the new one.
  rmSync(results, { force: true });
  const command = [bin('jest'), '--selectProjects', project, '--json', '--outputFile', results, ...args];
  const step = await runStep({ name, command, env, live: true, timeoutMs }, root);
  return { ...step, ...countTests(results) };
}

/** What jest wrote: tests that passed and failed, suites that did not load. */
function countTests(results: string): TestCounts {
  let result: JestReport;
  try {
    result = JSON.parse(readFileSync(results, 'utf8'));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
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
export function report(runs: readonly JestOutcome[], checks: readonly StepOutcome[], started: number): boolean {
  const sum = (field: 'passed' | 'failed') => runs.reduce((total, { [field]: count }) => total + count, 0);
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
