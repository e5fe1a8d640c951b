import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addEventHandler, getState, resetState, run, setState } from 'jest-circus';

/* One file of tests, loaded by jest-circus, which can run as often as needed. */

/** As in jest.config.mjs. */
const TEST_TIMEOUT_MS = 20_000;

/** What the running file wants to hear; jest-circus has one list of handlers for all files. */
let listener;
/** Errors that no test caught: they fail the test that runs. */
const stray = [];

addEventHandler((event) => {
  if (event.name === 'test_done') event.test.errors.push(...stray.splice(0).map((error) => [error, error]));
  listener?.(event);
});
process.on('uncaughtException', (error) => stray.push(error));
process.on('unhandledRejection', (error) => stray.push(error));

/** Full names of a test: its describe blocks and its own. */
function nameOf(test) {
  const names = [];
  for (let at = test; at?.parent; at = at.parent) names.unshift(at.name);
  return names.join(' ');
}

function* testsIn(block) {
  for (const child of block.children) {
    if (child.type === 'test') yield child;
    else yield* testsIn(child);
  }
}

export class TestFile {
  #state;
  /** Id → test of jest-circus. */
  tests = new Map();

  /**
   * Loads the file with everything it imports from the sandbox.
   * @param file absolute path
   * @param generation see module-hooks.mjs
   */
  static async load(file, generation) {
    const loaded = new TestFile();
    resetState();
    getState().testTimeout = TEST_TIMEOUT_MS;
    await import(`${pathToFileURL(file).href}?g=${generation}`);
    loaded.#state = getState();
    for (const test of testsIn(loaded.#state.rootDescribeBlock)) loaded.#add(test, relative(process.cwd(), file));
    return loaded;
  }

  #add(test, file) {
    const name = `${file} ${nameOf(test)}`;
    let id = name;
    for (let again = 2; this.tests.has(id); again++) id = `${name} (${again})`;
    this.tests.set(id, test);
  }

  /**
   * Runs tests of the file.
   * @param ids tests to run; default all
   * @param options.onTest told the id of each test before its hooks run, `undefined` after it
   * @param options.bail ends with the first failure; default true
   * @param options.timeoutOf id → bound of a test in ms
   * @returns what ran: `{ id, ms, error? }[]`
   */
  async run(ids = [...this.tests.keys()], { onTest = () => {}, bail = true, timeoutOf = () => TEST_TIMEOUT_MS } = {}) {
    const selected = new Set(ids);
    const idOf = new Map([...this.tests].map(([id, test]) => [test, id]));
    const results = [];
    for (const [id, test] of this.tests) {
      const timeout = Math.min(test.originalTimeout ?? test.timeout ?? TEST_TIMEOUT_MS, timeoutOf(id));
      Object.assign(test, { originalTimeout: test.originalTimeout ?? test.timeout ?? TEST_TIMEOUT_MS, timeout });
      Object.assign(test, { errors: [], status: null, invocations: 0, mode: selected.has(id) ? undefined : 'skip' });
    }
    listener = ({ name, test }) => {
      if (name === 'test_started') onTest(idOf.get(test));
      if (name !== 'test_done') return;
      onTest(undefined);
      const [failure] = test.errors;
      results.push({ id: idOf.get(test), ms: test.duration ?? 0, ...(failure && { error: messageOf(failure) }) });
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
    if (outside && !results.some(({ error }) => error)) results.push({ id: ids[0], ms: 0, error: messageOf(outside) });
    return results;
  }
}

/** Jest-circus keeps an error alone, or with the place that called the test. */
function messageOf(failure) {
  const error = Array.isArray(failure) ? (failure[0] ?? failure[1]) : failure;
  return String(error?.stack ?? error);
}
