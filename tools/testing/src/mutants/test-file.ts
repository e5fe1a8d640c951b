import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Circus } from '@jest/types';
import { addEventHandler, getState, resetState, run, setState } from 'jest-circus';

/* One file of tests, loaded by jest-circus, which can run as often as needed. */

/** As in jest.config.mjs. */
const TEST_TIMEOUT_MS = 20_000;

/** What the running file wants to hear; jest-circus has one list of handlers for all files. */
let listener: ((event: Circus.Event) => void) | undefined;
/** Errors that no test caught: they fail the test that runs. */
const stray: unknown[] = [];

addEventHandler((event) => {
  if (event.name === 'test_done') event.test.errors.push(...stray.splice(0).map((error) => [error, error]));
  listener?.(event);
});
process.on('uncaughtException', (error) => stray.push(error));
process.on('unhandledRejection', (error) => stray.push(error));

/** Full names of a test: its describe blocks and its own. */
function nameOf(test: Circus.TestEntry): string {
  const names: string[] = [];
  for (let at: Circus.TestEntry | Circus.DescribeBlock | undefined = test; at?.parent; at = at.parent) names.unshift(at.name);
  return names.join(' ');
}

function* testsIn(block: Circus.DescribeBlock): Generator<Circus.TestEntry> {
  for (const child of block.children) {
    if (child.type === 'test') yield child;
    else yield* testsIn(child);
  }
}

/** A test with its own bound, which each run may lower. */
type TimedTest = Circus.TestEntry & { originalTimeout?: number };

/** How a test went. */
export interface TestResult {
  readonly id: string;
  readonly ms: number;
  /** Why it failed. */
  readonly error?: string;
}

/** How tests run. */
export interface RunOptions {
  /** Receives the id of each test before its hooks run, `undefined` after it. */
  readonly onTest?: (id: string | undefined) => void;
  /** Ends with the first failure; default true. */
  readonly bail?: boolean;
  /** Id → bound of a test in ms. */
  readonly timeoutOf?: (id: string) => number;
}

export class TestFile {
  #state: Circus.State = getState();
  /** Id → test of jest-circus. */
  readonly tests = new Map<string, TimedTest>();

  /**
   * Loads the file with everything it imports from the sandbox.
   * @param file absolute path
   * @param generation see module-hooks.ts
   */
  static async load(file: string, generation: number) {
    const loaded = new TestFile();
    resetState();
    getState().testTimeout = TEST_TIMEOUT_MS;
    await import(`${pathToFileURL(file).href}?g=${generation}`);
    loaded.#state = getState();
    for (const test of testsIn(loaded.#state.rootDescribeBlock)) loaded.#add(test, relative(process.cwd(), file));
    return loaded;
  }

  #add(test: Circus.TestEntry, file: string) {
    const name = `${file} ${nameOf(test)}`;
    let id = name;
    for (let again = 2; this.tests.has(id); again++) id = `${name} (${again})`;
    this.tests.set(id, test);
  }

  /**
   * Runs tests of the file.
   * @param ids tests to run; default all
   * @returns what ran
   */
  async run(
    ids: readonly string[] = [...this.tests.keys()],
    { onTest = () => {}, bail = true, timeoutOf = () => TEST_TIMEOUT_MS }: RunOptions = {},
  ): Promise<TestResult[]> {
    const selected = new Set(ids);
    const idOf = new Map<Circus.TestEntry, string>([...this.tests].map(([id, test]) => [test, id]));
    const results: TestResult[] = [];
    for (const [id, test] of this.tests) {
      const timeout = Math.min(test.originalTimeout ?? test.timeout ?? TEST_TIMEOUT_MS, timeoutOf(id));
      Object.assign(test, { originalTimeout: test.originalTimeout ?? test.timeout ?? TEST_TIMEOUT_MS, timeout });
      Object.assign(test, { errors: [], status: null, invocations: 0, mode: selected.has(id) ? undefined : 'skip' });
    }
    listener = (event) => {
      if (event.name !== 'test_started' && event.name !== 'test_done') return;
      const id = idOf.get(event.test);
      if (event.name === 'test_started') return onTest(id);
      onTest(undefined);
      const [failure] = event.test.errors;
      results.push({ id: id ?? '', ms: event.test.duration ?? 0, ...(failure && { error: messageOf(failure) }) });
      if (failure && bail) for (const other of this.tests.values()) other.mode = 'skip';
    };
    setState(this.#state);
    this.#state.unhandledErrors = [];
    try {
      await run();
    } finally {
      listener = undefined;
    }
    const [outside] = this.#state.unhandledErrors;
    if (outside && !results.some(({ error }) => error)) results.push({ id: ids[0] ?? '', ms: 0, error: messageOf(outside) });
    return results;
  }
}

/** Jest-circus keeps an error alone, or with the place that called the test. */
function messageOf(failure: unknown): string {
  const error: unknown = Array.isArray(failure) ? (failure[0] ?? failure[1]) : failure;
  return String((error instanceof Error ? error.stack : undefined) ?? error);
}
