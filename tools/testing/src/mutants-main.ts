// `npm run test:mutants`: how many small changes of the rules do the tests notice? Takes a sample of the mutants that Stryker makes of `domain/` and the
// use cases of each service, and runs the unit tests that reach each. See docs/testing.md.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import type { Mutant } from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { root } from './jest-run.ts';

/** At least this part of the mutants is noticed, in per cent. */
const REQUIRED_SCORE = 85;
/** A mutant whose tests take longer counts as noticed: it hangs. */
const TIMEOUT_MS = 300_000;
/** All tests without a mutant, on a busy machine. */
const WITHOUT_MS = 1_800_000;
/** Interfaces, settings, wiring, adapters and what tests share: neither rules nor use cases. */
const NOT_MUTATED = /^(config|service|main)\.ts$|(^|\/)(ports\.ts$|(adapters|testing)\/)|\.(test|conformance)\.ts$/;

const { values: options } = parseArgs({
  options: {
    service: { type: 'string', multiple: true },
    file: { type: 'string', multiple: true },
    sample: { type: 'string', default: '60' },
    concurrency: { type: 'string', default: '2' },
  },
});

/** Files of `domain/` and the use cases of a service, from the root. */
function sourcesOf(service: string): string[] {
  const folder = `${root}services/${service}/src`;
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  // `all-in-one` only puts the others together.
  if (!files.some((name) => /(^|\/)domain$/.test(name))) return [];
  return files.filter((name) => name.endsWith('.ts') && !NOT_MUTATED.test(name)).map((name) => `services/${service}/src/${name}`);
}

const silent = { isDebugEnabled: () => false, debug: () => undefined, info: () => undefined } as unknown as Logger;

/** Copies a service, with every mutant in its sources; one is active where the environment names it. @returns the copy and the mutants */
async function mutated(service: string): Promise<{ readonly copy: string; readonly mutants: readonly Mutant[] }> {
  const copy = `${root}.cache/mutants/${service}/`;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(`${copy}tools/testing`, { recursive: true });
  for (const name of ['package.json', 'jest.config.mjs', 'tools/testing/jest', `services/${service}`])
    cpSync(root + name, copy + name, { recursive: true, filter: (path) => !path.includes('/dist') });
  symlinkSync(`${root}node_modules`, `${copy}node_modules`);
  const sources = sourcesOf(service).filter((name) => options.file?.includes(name) ?? true);
  const files = sources.map((name) => ({ name, mutate: true, content: readFileSync(copy + name, 'utf8') }));
  const result = await new Instrumenter(silent).instrument(files, { ignorers: [], excludedMutations: [], plugins: null, noHeader: false });
  for (const { name, content } of result.files) writeFileSync(copy + name, content);
  return { copy, mutants: result.mutants };
}

/** Runs unit tests in a copy. @param mutant id of the active one @returns true when they pass */
function run(copy: string, tests: readonly string[], mutant: string | undefined, timeout = TIMEOUT_MS): Promise<boolean> {
  // In one process: a worker with an endless loop would outlive it.
  const args = ['--selectProjects', 'unit', '--testSequencer', '@jest/test-sequencer', '--bail', '--passWithNoTests', '--runInBand'];
  const jest = spawn(process.execPath, [`${root}node_modules/jest/bin/jest.js`, ...args, ...tests], {
    cwd: copy,
    stdio: 'ignore',
    timeout,
    killSignal: 'SIGKILL',
    env: { ...process.env, ...(mutant && { __STRYKER_ACTIVE_MUTANT__: mutant }) },
  });
  return new Promise((resolve) => jest.once('close', (code) => resolve(code === 0)));
}

/** Runs the unit tests of the feature that a file belongs to, which notice most mutants, then all others that reach it. @returns true when they pass */
async function passes(copy: string, file: string, mutant: string): Promise<boolean> {
  const beside = `${dirname(file).replace(/\/domain$/, '')}/(domain/)?[^/]+\\.test\\.ts$`;
  return (await run(copy, ['--testPathPatterns', beside], mutant)) && (await run(copy, ['--findRelatedTests', file], mutant));
}

/** Some of the mutants, evenly spread over the files. */
function sampleOf(mutants: readonly Mutant[]): readonly Mutant[] {
  const step = Math.max(1, mutants.length / Number(options.sample));
  const first = Math.random() * step;
  return Array.from(
    { length: Math.ceil((mutants.length - first) / step) },
    (_, index) => mutants[Math.floor(first + index * step)] as Mutant,
  );
}

/** What a survivor was, and what it became. */
function describe({ fileName, location: { start }, mutatorName, replacement }: Mutant): string {
  const line = readFileSync(root + fileName, 'utf8').split('\n')[start.line] ?? '';
  return `${fileName}:${start.line + 1}:${start.column + 1} ${mutatorName}: ${line.slice(start.column).trim()} → ${replacement.replace(/\s+/g, ' ')}`;
}

/** Measures a service. @returns how many mutants were tried, and how many of them were noticed */
async function measure(service: string): Promise<{ readonly tried: number; readonly noticed: number }> {
  const { copy, mutants } = await mutated(service);
  const waiting = [...sampleOf(mutants)];
  const tried = waiting.length;
  let survived = 0;
  const files = new Set(waiting.map(({ fileName }) => fileName));
  if (!(await run(copy, ['--findRelatedTests', ...files], undefined, WITHOUT_MS)))
    throw new Error(`Tests of ${service} fail without a mutant`);
  const work = async (): Promise<void> => {
    for (let mutant = waiting.pop(); mutant !== undefined; mutant = waiting.pop()) {
      if (!(await passes(copy, mutant.fileName, mutant.id))) continue;
      survived += 1;
      console.log(describe(mutant));
    }
  };
  await Promise.all(Array.from({ length: Number(options.concurrency) }, work));
  const noticed = tried - survived;
  console.log(`${service}: ${noticed} of ${tried} noticed, ${((100 * noticed) / tried).toFixed(1)} % (of ${mutants.length} mutants)`);
  return { tried, noticed };
}

const results: { readonly tried: number; readonly noticed: number }[] = [];
for (const service of options.service ?? readdirSync(`${root}services`))
  if (sourcesOf(service).length > 0) results.push(await measure(service));
const sum = (field: 'tried' | 'noticed'): number => results.reduce((total, { [field]: count }) => total + count, 0);
const score = (100 * sum('noticed')) / sum('tried');
console.log(`score ${score.toFixed(1)} %, at least ${REQUIRED_SCORE} %`);
process.exitCode = score >= REQUIRED_SCORE ? 0 : 1;
