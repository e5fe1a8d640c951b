// `npm run test:mutants`: how many small changes of the rules do the tests notice? Mutates `domain/` and the use cases of each
// service by Stryker and runs the service's unit tests. See docs/testing.md.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { LogLevel } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { root } from './jest-run.ts';
import { merge, readKept, rowOf, survivorLines, table, total, writeKept } from './mutants/report.ts';
import { othersThan, results, services, sourcesOf, temporary, testsOf } from './mutants/scope.ts';

/** At least this part of all mutants is noticed, in per cent. */
const REQUIRED_SCORE = 85;

const { values: options } = parseArgs({
  options: {
    service: { type: 'string', multiple: true },
    file: { type: 'string', multiple: true },
    concurrency: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '10' },
    incremental: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    survivors: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const maxMsPerMutant = Number(options.seconds) * 1000;
const chosen = options.service ?? services;
const unknown = chosen.find((name) => !services.includes(name));
if (unknown !== undefined) throw new Error(`There is no service "${unknown}" with rules; there are ${services.join(', ')}`);

process.chdir(root);
mkdirSync(results, { recursive: true });
const started = performance.now();
if (!options.report) for (const service of chosen) await mutate(service);

const rows = chosen.flatMap((service) => {
  const kept = readKept(service);
  return kept ? [rowOf(service, kept, sourcesOf(service))] : [];
});
const all = total(rows);
if (options.json) console.log(JSON.stringify({ services: rows, total: all }, undefined, 2));
else {
  if (options.survivors) for (const line of survivorLines(rows)) console.log(line);
  for (const { service, failing, missing } of rows) {
    for (const name of failing) console.log(`${service}: not used, fails without a mutant: ${name}`);
    for (const file of missing) console.log(`${service}: not measured: ${file}`);
  }
  console.log(`${table(rows)}\n\ntook ${Math.round((performance.now() - started) / 1000)} s`);
}
process.exitCode = all.score >= REQUIRED_SCORE ? 0 : 1;

/** Where the tree is: a commit, with a mark when files have been changed since. */
function commitNow() {
  return execFileSync('git', ['describe', '--always', '--exclude=*', '--abbrev=9', '--dirty'], { encoding: 'utf8' }).trim();
}

/** Runs the mutants of one service, and keeps the results in `.cache/mutants` with those of files that are not run. */
async function mutate(service: string) {
  const commit = commitNow();
  const mutated = options.file ?? sourcesOf(service);
  const file = (kind: string) => `${results}${service}-${kind}.json`;
  for (const kind of ['report', 'facts']) rmSync(file(kind), { force: true });
  if (!options.json) console.error(`${service}: running`);
  await new Stryker({
    mutate: mutated,
    ignorePatterns: othersThan(service),
    testRunner: 'in-process',
    plugins: [`${root}tools/testing/dist/mutants/runner.js`],
    testRunnerNodeArgs: ['--conditions=source', '--no-warnings', '--import', `${root}tools/testing/dist/mutants/register.js`],
    inProcess: { tests: testsOf(service), factsFile: file('facts'), maxMsPerMutant },
    coverageAnalysis: 'perTest',
    concurrency: Number(options.concurrency),
    // A mutant whose tests take longer, three times as long as they may take together and some seconds more, counts as noticed: it hangs.
    timeoutMS: 5_000 + 3 * maxMsPerMutant,
    dryRunTimeoutMinutes: 10,
    // Each reload of mutated files stays in memory.
    maxTestRunnerReuse: 200,
    incremental: options.incremental,
    incrementalFile: file('incremental'),
    reporters: options.json ? ['json'] : ['json', 'progress-append-only'],
    jsonReporter: { fileName: file('report') },
    tempDirName: temporary,
    cleanTempDir: 'always',
    // Types are removed, not checked; and TypeScript 7 has no programming interface that Stryker could use.
    checkers: [],
    disableTypeChecks: false,
    tsconfigFile: 'none',
    thresholds: { high: 100, low: 0, break: null },
    warnings: { unknownOptions: false, slow: false, preprocessorErrors: true, unserializableOptions: true },
    logLevel: 'warn' as LogLevel,
    allowConsoleColors: false,
  }).runMutationTest();
  const read = (kind: string) => JSON.parse(readFileSync(file(kind), 'utf8'));
  const run = { commit, failing: read('facts').failing, mutated, sources: sourcesOf(service) };
  writeKept(service, merge(readKept(service), read('report'), run));
}
