import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { TestFile } from './test-file.mjs';

/*
 * A test runner for Stryker that stays in one process. Jest loads every module anew for every run, which takes seconds; this loads
 * the test files once and runs those tests that reach the mutant, the fastest first. A mutant in code that runs at import needs its
 * files anew: they get a new generation.
 */

/** What Stryker's instrumented code looks at. */
const instrumented = () => {
  globalThis.__stryker__ ??= {};
  return globalThis.__stryker__;
};

/** So many tests may fail without a mutant, on a busy machine; more, and the run is worth nothing. */
const MAX_FAILING = 5;

/** Coverage that belongs to no single test: hooks around all tests of a file, and what still runs between two tests. */
const AROUND_TESTS = 'around the tests';

class InProcessRunner {
  static inject = tokens(commonTokens.options);
  #files;
  #factsFile;
  /** Tests that take longer together are not run for one mutant: the fastest are. That can only lower the score. */
  #maxMsPerMutant;
  #facts;
  #generation = 0;
  #loaded = new Map();
  /** True when a mutant has left something behind that fails a test without it: only a new process helps. */
  #tainted = false;
  #mutantsRun = 0;

  constructor({ inProcess }) {
    this.#files = inProcess.tests;
    this.#factsFile = inProcess.factsFile;
    this.#maxMsPerMutant = inProcess.maxMsPerMutant;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  /** Runs every test once, without a mutant: which mutants does each reach, and how long does it take? */
  async dryRun() {
    const seen = { tests: [], coverage: { static: {}, perTest: {} }, facts: { ms: {}, atImport: {}, failing: [] }, lastError: undefined };
    for (const name of this.#files) await this.#observe(name, seen);
    const { tests, coverage, facts, lastError } = seen;
    if (facts.failing.length > MAX_FAILING) {
      const errorMessage = `${facts.failing.length} tests fail without a mutant, the last one with: ${lastError}`;
      return { status: 'error', errorMessage };
    }
    writeFileSync(this.#factsFile, JSON.stringify(facts));
    return { status: 'complete', tests, mutantCoverage: coverage };
  }

  /** Runs one file without a mutant. A generation of its own tells which mutants run when it is imported. */
  async #observe(name, seen) {
    this.#generation++;
    const space = Object.assign(instrumented(), { activeMutant: undefined, currentTestId: undefined });
    space.mutantCoverage = { static: {}, perTest: {} };
    const file = await this.#load(name);
    const atImport = space.mutantCoverage.static;
    space.currentTestId = AROUND_TESTS;
    const onTest = (id) => {
      space.currentTestId = id ?? AROUND_TESTS;
    };
    const results = await file.run(undefined, { onTest, bail: false });
    const { [AROUND_TESTS]: around = {}, ...perTest } = space.mutantCoverage.perTest;
    for (const { id, ms, error } of results) {
      // A test that fails without a mutant tells nothing about one. It is left out, and named in the report.
      if (error !== undefined) {
        seen.facts.failing.push(id);
        seen.lastError = error;
        continue;
      }
      seen.coverage.perTest[id] = addCounts(addCounts({}, around), perTest[id] ?? {});
      seen.facts.ms[id] = ms;
      // Stryker ends a mutant after a multiple of the time of all tests that reach it. Most of those are not run, so it is told of no time:
      // see `timeoutMS`.
      seen.tests.push({ id, name: id, fileName: resolve(name), timeSpentMs: 0, status: 'success' });
    }
    addCounts(seen.coverage.static, atImport);
    for (const mutant of Object.keys(atImport)) {
      seen.facts.atImport[mutant] ??= [];
      seen.facts.atImport[mutant].push(name);
    }
  }

  /** Runs the tests that reach one mutant until the first that fails. */
  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, reloadEnvironment }) {
    if (this.#tainted) throw new Error('A mutant before this one has left this process unusable: it needs a new one');
    this.#facts ??= JSON.parse(readFileSync(this.#factsFile, 'utf8'));
    if (reloadEnvironment) {
      this.#generation++;
      this.#loaded.clear();
    }
    const first = this.#mutantsRun++ === 0;
    const atImport = mutantActivation === 'static';
    const space = Object.assign(instrumented(), { activeMutant: atImport ? activeMutant.id : undefined, mutantCoverage: undefined });
    Object.assign(space, { hitCount: hitLimit === undefined ? undefined : 0, hitLimit });
    let ran = 0;
    for (const [name, ids] of this.#plan(activeMutant.id, testFilter)) {
      let results;
      try {
        const file = await this.#load(name);
        space.activeMutant = activeMutant.id;
        results = await file.run(ids, { timeoutOf: (id) => this.#timeoutOf(id) });
      } catch (error) {
        if (!atImport) throw error;
        results = [{ id: name, error: String(error?.stack ?? error) }];
      }
      if (!atImport) space.activeMutant = undefined;
      ran += results.length;
      if (space.hitLimit !== undefined && space.hitCount > space.hitLimit) return { status: 'timeout', reason: 'hit limit' };
      const failed = results.find(({ error }) => error);
      if (!failed) continue;
      if (!atImport) await this.#verify(name, failed.id, first);
      return { status: 'killed', failureMessage: failed.error, killedBy: [failed.id], nrOfTests: ran };
    }
    return { status: 'survived', nrOfTests: ran };
  }

  /** What failed with a mutant must pass without it; else the mutant before it may be to blame. */
  async #verify(name, id, first) {
    const space = Object.assign(instrumented(), { hitCount: undefined, hitLimit: undefined });
    if (!this.#loaded.get(name)?.tests.has(id)) return;
    const again = await this.#loaded.get(name).run([id], { timeoutOf: (test) => this.#timeoutOf(test) });
    this.#tainted = again.some(({ error }) => error);
    space.activeMutant = undefined;
    if (this.#tainted && !first) throw new Error(`${id} fails without a mutant, too, in a process that has run others`);
  }

  /** The tests to run, by file; files in the order of how long a test of them takes. */
  #plan(mutant, testFilter) {
    const known = this.#facts.ms;
    const byFile = new Map();
    let ms = 0;
    for (const id of (testFilter ?? Object.keys(known).filter((each) => this.#importsAtStart(mutant, each))).sort(
      (a, b) => known[a] - known[b],
    )) {
      ms += known[id];
      if (byFile.size > 0 && ms > this.#maxMsPerMutant) break;
      const [name] = id.split(' ', 1);
      byFile.set(name, [...(byFile.get(name) ?? []), id]);
    }
    const cost = (ids) => ids.reduce((sum, id) => sum + known[id], 0) / ids.length;
    return [...byFile].sort(([, a], [, b]) => cost(a) - cost(b));
  }

  #importsAtStart(mutant, id) {
    const files = this.#facts.atImport[mutant];
    return files === undefined || files.includes(id.split(' ', 1)[0]);
  }

  #timeoutOf(id) {
    return 3000 + 5 * (this.#facts.ms[id] ?? 0);
  }

  async #load(name) {
    const key = `${this.#generation} ${name}`;
    if (!this.#loaded.has(name) || this.#loaded.get(name).key !== key) {
      const file = await TestFile.load(resolve(name), this.#generation);
      this.#loaded.set(name, Object.assign(file, { key }));
    }
    return this.#loaded.get(name);
  }
}

/** Adds the counts of `more` to `sum`, and gives it back. */
function addCounts(sum, more) {
  for (const [key, count] of Object.entries(more)) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}

/** @public read by Stryker */
export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
