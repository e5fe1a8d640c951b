// `npm run test:mutants`: how many small changes of the rules do the tests notice? Mutates `domain/` and the use cases of each
// service by Stryker and runs the service's unit tests. See docs/testing.md.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { root } from './jest-run.mjs';
import { readResults, survivorLines, table, total, withTable } from './mutants/report.mjs';
import { othersThan, results, services, sourcesOf, temporary, testsOf } from './mutants/scope.mjs';

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
    write: { type: 'string' },
  },
});
const chosen = options.service ?? services;
const unknown = chosen.find((name) => !services.includes(name));
if (unknown !== undefined) throw new Error(`There is no service "${unknown}" with rules; there are ${services.join(', ')}`);

process.chdir(root);
mkdirSync(results, { recursive: true });
if (!options.report) for (const service of chosen) await mutate(service);

const rows = readResults(options.write === undefined ? chosen : services);
if (options.write !== undefined) {
  const missing = services.filter((name) => !rows.some(({ service }) => service === name));
  if (missing.length > 0) throw new Error(`No result of ${missing.join(', ')} yet: nothing is written`);
  writeFileSync(options.write, withTable(readFileSync(options.write, 'utf8'), rows));
}
const all = total(rows);
if (options.json) console.log(JSON.stringify({ services: rows, total: all }, undefined, 2));
else {
  if (options.survivors) for (const line of survivorLines(rows)) console.log(line);
  for (const { service, failing } of rows) for (const name of failing) console.log(`${service}: not used, fails without a mutant: ${name}`);
  console.log(`${table(rows)}\n\ntook ${all.seconds} s`);
}
process.exitCode = all.score >= REQUIRED_SCORE ? 0 : 1;

/** Runs the mutants of one service and leaves the results in `.cache/mutants`. */
async function mutate(service) {
  const started = performance.now();
  const file = (kind) => `${results}${service}${kind}.json`;
  for (const kind of ['', '-facts', '-run']) rmSync(file(kind), { force: true });
  if (!options.json) console.error(`${service}: running`);
  await new Stryker({
    mutate: options.file ?? sourcesOf(service),
    ignorePatterns: othersThan(service),
    testRunner: 'in-process',
    plugins: [`${root}scripts/mutants/runner.mjs`],
    testRunnerNodeArgs: ['--conditions=source', '--no-warnings', '--import', `${root}scripts/mutants/register.mjs`],
    inProcess: { tests: testsOf(service), factsFile: file('-facts'), maxMsPerMutant: Number(options.seconds) * 1000 },
    coverageAnalysis: 'perTest',
    concurrency: Number(options.concurrency),
    // A test that hangs is ended after this long, and counts as one that has noticed the mutant.
    timeoutMS: 10_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 10,
    // Each reload of mutated files stays in memory.
    maxTestRunnerReuse: 200,
    incremental: options.incremental,
    incrementalFile: file('-incremental'),
    reporters: options.json ? ['json'] : ['json', 'progress-append-only'],
    jsonReporter: { fileName: file('') },
    tempDirName: temporary,
    cleanTempDir: 'always',
    // Types are removed, not checked; and TypeScript 7 has no programming interface that Stryker could use.
    checkers: [],
    disableTypeChecks: false,
    tsconfigFile: 'none',
    thresholds: { high: 100, low: 0, break: null },
    warnings: { unknownOptions: false, slow: false },
    logLevel: 'warn',
    allowConsoleColors: false,
  }).runMutationTest();
  const { failing } = JSON.parse(readFileSync(file('-facts'), 'utf8'));
  writeFileSync(file('-run'), JSON.stringify({ seconds: Math.round((performance.now() - started) / 1000), failing }));
}
