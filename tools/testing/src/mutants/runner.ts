import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { type TestResult as Ran, TestFile } from './test-file.ts';

/*
 * A test runner for Stryker that stays in one process. Jest loads every module again for every run, which takes seconds; this loads
 * the test files once and runs those tests that reach the mutant, the fastest first. A mutant in code that runs at import needs its
 * files again: they get a new generation.
 */

/** Mutant → how often it was reached. */
type Reached = Record<string, number>;

/** What Stryker's instrumented code reads and writes. */
interface Instrumented {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { readonly static: Reached; readonly perTest: Record<string, Reached> } | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

/** What a dry run finds out and later runs need. */
interface Facts {
  /** Test → how long it takes. */
  readonly ms: Record<string, number>;
  /** Mutant → files of tests at whose import it runs. */
  readonly atImport: Record<string, string[]>;
  /** Tests that fail without a mutant. */
  readonly failing: string[];
}

/** What a dry run has seen so far. */
interface Seen {
  readonly tests: TestResult[];
  readonly coverage: { readonly static: Reached; readonly perTest: Record<string, Reached> };
  readonly facts: Facts;
  lastError: string | undefined;
}

/** Our part of Stryker's options. */
interface RunnerOptions {
  readonly inProcess: { readonly tests: readonly string[]; readonly factsFile: string; readonly maxMsPerMutant: number };
}

/** What Stryker's instrumented code looks at. */
const instrumented = (): Instrumented => {
  const space = globalThis as { __stryker__?: Instrumented };
  space.__stryker__ ??= {};
  return space.__stryker__;
};

/** So many tests may fail without a mutant, on a busy machine; more, and the run is worth nothing. */
const MAX_FAILING = 5;

/** Coverage that belongs to no single test: hooks around all tests of a file, and what still runs between two tests. */
const AROUND_TESTS = 'around the tests';

class InProcessRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  readonly #files: readonly string[];
  readonly #factsFile: string;
  /** Tests that take longer together are not run for one mutant: the fastest are. That can only lower the score. */
  readonly #maxMsPerMutant: number;
  #facts: Facts = { ms: {}, atImport: {}, failing: [] };
  #factsRead = false;
  #generation = 0;
  readonly #loaded = new Map<string, { readonly key: string; readonly file: TestFile }>();
  /** True when a mutant has left something behind that fails a test without it: only a new process helps. */
  #tainted = false;
  #mutantsRun = 0;

  constructor(options: StrykerOptions) {
    const { inProcess } = options as unknown as RunnerOptions;
    this.#files = inProcess.tests;
    this.#factsFile = inProcess.factsFile;
    this.#maxMsPerMutant = inProcess.maxMsPerMutant;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  /** Runs every test once, without a mutant: which mutants does each reach, and how long does it take? */
  async dryRun(): Promise<DryRunResult> {
    const seen: Seen = {
      tests: [],
      coverage: { static: {}, perTest: {} },
      facts: { ms: {}, atImport: {}, failing: [] },
      lastError: undefined,
    };
    for (const name of this.#files) await this.#observe(name, seen);
    const { tests, coverage, facts, lastError } = seen;
    if (facts.failing.length > MAX_FAILING) {
      const errorMessage = `${facts.failing.length} tests fail without a mutant, the last one with: ${lastError}`;
      return { status: DryRunStatus.Error, errorMessage };
    }
    writeFileSync(this.#factsFile, JSON.stringify(facts));
    return { status: DryRunStatus.Complete, tests, mutantCoverage: coverage };
  }

  /** Runs one file without a mutant. A generation of its own shows which mutants run when it is imported. */
  async #observe(name: string, seen: Seen) {
    this.#generation++;
    const space: Instrumented = Object.assign(instrumented(), { activeMutant: undefined, currentTestId: undefined });
    const coverage: Seen['coverage'] = { static: {}, perTest: {} };
    space.mutantCoverage = coverage;
    const file = await this.#load(name);
    const atImport = coverage.static;
    space.currentTestId = AROUND_TESTS;
    const onTest = (id: string | undefined) => {
      space.currentTestId = id ?? AROUND_TESTS;
    };
    const results = await file.run(undefined, { onTest, bail: false });
    const { [AROUND_TESTS]: around = {}, ...perTest } = coverage.perTest;
    for (const { id, ms, error } of results) {
      // A test that fails without a mutant proves nothing about one. It is left out, and named in the report.
      if (error !== undefined) {
        seen.facts.failing.push(id);
        seen.lastError = error;
        continue;
      }
      seen.coverage.perTest[id] = addCounts(addCounts({}, around), perTest[id] ?? {});
      seen.facts.ms[id] = ms;
      // Stryker ends a mutant after a multiple of the time of all tests that reach it. Most of those are not run, so it gets no time:
      // see `timeoutMS`.
      seen.tests.push({ id, name: id, fileName: resolve(name), timeSpentMs: 0, status: TestStatus.Success });
    }
    addCounts(seen.coverage.static, atImport);
    for (const mutant of Object.keys(atImport)) {
      const files = seen.facts.atImport[mutant] ?? [];
      seen.facts.atImport[mutant] = [...files, name];
    }
  }

  /** Runs the tests that reach one mutant until the first that fails. */
  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, reloadEnvironment }: MutantRunOptions): Promise<MutantRunResult> {
    if (this.#tainted) throw new Error('A mutant before this one has left this process unusable: it needs a new one');
    if (!this.#factsRead) this.#facts = JSON.parse(readFileSync(this.#factsFile, 'utf8')) as Facts;
    this.#factsRead = true;
    if (reloadEnvironment) {
      this.#generation++;
      this.#loaded.clear();
    }
    const first = this.#mutantsRun++ === 0;
    const atImport = mutantActivation === 'static';
    const space: Instrumented = Object.assign(instrumented(), {
      activeMutant: atImport ? activeMutant.id : undefined,
      mutantCoverage: undefined,
    });
    Object.assign(space, { hitCount: hitLimit === undefined ? undefined : 0, hitLimit });
    let ran = 0;
    for (const [name, ids] of this.#plan(activeMutant.id, testFilter)) {
      const results = await this.#runFile(name, ids, space, activeMutant.id, atImport);
      if (!atImport) space.activeMutant = undefined;
      ran += results.length;
      if (space.hitLimit !== undefined && (space.hitCount ?? 0) > space.hitLimit)
        return { status: MutantRunStatus.Timeout, reason: 'hit limit' };
      const failed = results.find(({ error }) => error);
      if (!failed) continue;
      if (!atImport) await this.#verify(name, failed.id, first);
      return { status: MutantRunStatus.Killed, failureMessage: failed.error ?? '', killedBy: [failed.id], nrOfTests: ran };
    }
    return { status: MutantRunStatus.Survived, nrOfTests: ran };
  }

  /** Runs tests of a file with a mutant. One that runs at import may end the import, which is a failure of the file. */
  async #runFile(name: string, ids: readonly string[], space: Instrumented, mutant: string, atImport: boolean): Promise<Ran[]> {
    try {
      const file = await this.#load(name);
      space.activeMutant = mutant;
      return await file.run(ids, { timeoutOf: (id) => this.#timeoutOf(id) });
    } catch (error) {
      if (!atImport) throw error;
      return [{ id: name, error: String((error instanceof Error ? error.stack : undefined) ?? error), ms: 0 }];
    }
  }

  /** What failed with a mutant must pass without it; else the mutant before it may be to blame. */
  async #verify(name: string, id: string, first: boolean): Promise<void> {
    const space = Object.assign(instrumented(), { hitCount: undefined, hitLimit: undefined });
    const file = this.#loaded.get(name)?.file;
    if (!file?.tests.has(id)) return;
    const again = await file.run([id], { timeoutOf: (test: string) => this.#timeoutOf(test) });
    this.#tainted = again.some(({ error }) => error !== undefined);
    space.activeMutant = undefined;
    if (this.#tainted && !first) throw new Error(`${id} fails without a mutant, too, in a process that has run others`);
  }

  /** The tests to run, by file; files in the order of how long a test of them takes. */
  #plan(mutant: string, testFilter: string[] | undefined) {
    const known = this.#facts.ms;
    const timeOf = (id: string): number => known[id] ?? 0;
    const byFile = new Map<string, string[]>();
    let ms = 0;
    for (const id of (testFilter ?? Object.keys(known).filter((each) => this.#importsAtStart(mutant, each))).sort(
      (a, b) => timeOf(a) - timeOf(b),
    )) {
      ms += timeOf(id);
      if (byFile.size > 0 && ms > this.#maxMsPerMutant) break;
      const [name = ''] = id.split(' ', 1);
      byFile.set(name, [...(byFile.get(name) ?? []), id]);
    }
    const cost = (ids: readonly string[]) => ids.reduce((sum, id) => sum + timeOf(id), 0) / ids.length;
    return [...byFile].sort(([, a], [, b]) => cost(a) - cost(b));
  }

  #importsAtStart(mutant: string, id: string) {
    const files = this.#facts.atImport[mutant];
    return files === undefined || files.includes(id.split(' ', 1)[0] ?? '');
  }

  #timeoutOf(id: string) {
    return 3000 + 5 * (this.#facts.ms[id] ?? 0);
  }

  async #load(name: string): Promise<TestFile> {
    const key = `${this.#generation} ${name}`;
    const loaded = this.#loaded.get(name);
    if (loaded?.key === key) return loaded.file;
    const file = await TestFile.load(resolve(name), this.#generation);
    this.#loaded.set(name, { key, file });
    return file;
  }
}

/** Adds the counts of `more` to `sum`, and gives it back. */
function addCounts(sum: Record<string, number>, more: Readonly<Record<string, number>>): Record<string, number> {
  for (const [key, count] of Object.entries(more)) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}

/** @public read by Stryker */
export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
