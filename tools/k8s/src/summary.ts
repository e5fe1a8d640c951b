import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A step, and what it printed. */
interface Step {
  readonly name: string;
  readonly ok: boolean;
  readonly output?: string;
}

/** A run of jest. */
interface Run extends Step {
  readonly passed: number;
  readonly failed: number;
}

/** How the checks went. */
export interface Outcome {
  readonly steps: readonly Step[];
  readonly runs: readonly Run[];
  /** See {@link notedProblems}. */
  readonly noted: readonly string[];
  readonly skipped: readonly string[];
  readonly seconds: number;
}

/** More are above; what is first is most often what the others follow from. */
const MOST = 20;
const MOST_OF_A_STEP = 3;

/**
 * What the tests of the overlays noted (reported-problems.ts), each once: what several workloads have in common is one problem.
 * @param rendered folder of what was built
 * @returns such as `tracking, gateway: FORECAST_URL is not set … [sandbox, sandbox-with-all]`
 */
export function notedProblems(rendered: string): string[] {
  const file = join(rendered, 'problems.jsonl');
  if (!existsSync(file)) return [];
  const places = new Map<string, { readonly workloads: Set<string>; readonly where: Set<string> }>();
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { where, problem } = JSON.parse(line) as { where: string; problem: string };
    const [, workload, what = problem] = /^([a-z-]+): (.*)$/s.exec(problem) ?? [];
    const found = places.get(what) ?? { workloads: new Set(), where: new Set() };
    if (workload !== undefined) found.workloads.add(workload);
    found.where.add(where);
    places.set(what, found);
  }
  return [...places].map(
    ([what, { workloads, where }]) => `${workloads.size === 0 ? '' : `${[...workloads].join(', ')}: `}${what} [${[...where].join(', ')}]`,
  );
}

/** The lines of a step that failed, the first of them. */
function linesOf({ name, output = '' }: Step) {
  const lines = [...new Set(output.split('\n').filter((line) => line.trim() !== ''))];
  const more = lines.length - MOST_OF_A_STEP;
  return [...lines.slice(0, MOST_OF_A_STEP), ...(more > 0 ? [`${more} more lines above`] : [])].map((line) => `${name}: ${line.trim()}`);
}

/**
 * The end of the output: what is wrong, each problem once; what was not asked, and why; the counts.
 * @returns the last line of the text is `N passed, N failed`
 */
export function summaryOf({ steps, runs, noted, skipped, seconds }: Outcome): { readonly ok: boolean; readonly text: string } {
  // A run without a test has shown nothing.
  const failures: Step[] = [...steps, ...runs.map((run) => ({ ...run, ok: run.ok && run.passed > 0 }))].filter(({ ok }) => !ok);
  const problems = [
    ...noted,
    ...failures.flatMap((step) => (step.output?.trim() ? linesOf(step) : noted.length > 0 ? [] : [`${step.name}: failed, see above`])),
  ];
  const broken =
    steps.filter(({ ok }) => !ok).length + runs.filter(({ ok, passed, failed }) => failed === 0 && (!ok || passed === 0)).length;
  const sum = (field: 'passed' | 'failed') => runs.reduce((total, run) => total + run[field], 0);
  const count = steps.length + runs.length;
  const lines = [
    ...(problems.length === 0 ? [] : [`problems (${problems.length}):`, ...problems.slice(0, MOST).map((each) => `  - ${each}`)]),
    ...(problems.length > MOST ? [`  and ${problems.length - MOST} more above`] : []),
    ...skipped.map((each) => `skipped: ${each}`),
    `checks: ${count - failures.length} of ${count} ok${failures.map(({ name }) => `; failed: ${name}`).join('')}`,
    `took ${seconds.toFixed(0)} s`,
    `${sum('passed')} passed, ${sum('failed') + broken} failed`,
  ];
  return { ok: failures.length === 0, text: lines.join('\n') };
}
