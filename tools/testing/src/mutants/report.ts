import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { results } from './scope.ts';

/* What a run of the mutants came to, for people and for programs. */

/** A mutant as Stryker reports it. */
export interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** A file with its mutants; `commit`: where the tree was. */
interface MeasuredFile {
  readonly source: string;
  readonly mutants: readonly Mutant[];
  readonly commit: string;
}

/** Results of a service that are kept. */
export interface Kept {
  /** Tests that fail without a mutant. */
  readonly failing: readonly string[];
  readonly files: Readonly<Record<string, MeasuredFile>>;
}

/** Counts of one file or many. */
export interface Counts {
  readonly mutants: number;
  /** Timeouts included. */
  readonly killed: number;
  readonly timeouts: number;
  readonly survived: number;
  readonly unreached: number;
  readonly invalid: number;
}

/** A mutant that no test noticed. */
interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  readonly unreached: boolean;
}

/** What the results of a service come to. */
export interface Row extends Counts {
  readonly service: string;
  readonly score: number;
  readonly commits: readonly string[];
  /** Files without a result. */
  readonly missing: readonly string[];
  readonly failing: readonly string[];
  readonly files: readonly (Counts & { readonly file: string; readonly score: number; readonly commit: string })[];
  readonly survivors: readonly Survivor[];
}

/** A run of the mutants of a service. */
export interface MutantRun {
  /** Where the tree was. */
  readonly commit: string;
  /** Tests that fail without a mutant. */
  readonly failing: readonly string[];
  /** Files that were run; the report leaves out those without a mutant, such as files of types. */
  readonly mutated: readonly string[];
  /** Files that the service has now; results of others are dropped. */
  readonly sources: readonly string[];
}

const DETECTED = ['Killed', 'Timeout'];
const UNDETECTED = ['Survived', 'NoCoverage'];

/** Counts of one file or many: killed (timeouts included), timeouts among them, survivors, those that no test reaches. */
function count(mutants: readonly Mutant[]): Counts {
  const of = (...states: string[]) => mutants.filter(({ status }) => states.includes(status)).length;
  const killed = of(...DETECTED);
  const survived = of(...UNDETECTED);
  return {
    mutants: killed + survived,
    killed,
    timeouts: of('Timeout'),
    survived,
    unreached: of('NoCoverage'),
    invalid: mutants.length - killed - survived,
  };
}

/** Part of the mutants that a test noticed, in per cent with one decimal; rounded down, so that 85 means at least 85. */
const scoreOf = ({ killed, mutants }: Pick<Counts, 'killed' | 'mutants'>) =>
  mutants === 0 ? 100 : Math.floor((killed / mutants) * 1000) / 10;

/**
 * Kept results of a service with those of a run: of the files that were run the new ones, of the others those from before.
 * @param kept of the runs before; undefined when there are none
 * @param report of Stryker: `{ files }`
 */
export function merge(
  kept: Kept | undefined,
  { files }: { readonly files: Readonly<Record<string, Omit<MeasuredFile, 'commit'>>> },
  { commit, failing, mutated, sources }: MutantRun,
) {
  const measured = mutated.map((file: string) => {
    const { source = '', mutants = [] } = files[file] ?? {};
    return [file, { source, mutants, commit }];
  });
  const all: Record<string, MeasuredFile> = { ...kept?.files, ...Object.fromEntries(measured) };
  return { failing, files: Object.fromEntries(sources.flatMap((file) => (all[file] ? [[file, all[file]]] : []))) };
}

/** Where the results of a service are kept. */
const fileOf = (service: string) => `${results}${service}.json`;

/** Kept results of a service; undefined when there are none. */
export const readKept = (service: string): Kept | undefined =>
  existsSync(fileOf(service)) ? (JSON.parse(readFileSync(fileOf(service), 'utf8')) as Kept) : undefined;

/** Keeps results. */
export const writeKept = (service: string, kept: Kept) => writeFileSync(fileOf(service), JSON.stringify(kept));

/**
 * What the kept results of a service come to.
 * @param sources files of the service; those without a result are `missing`
 */
export function rowOf(service: string, { files, failing }: Kept, sources: readonly string[]): Row {
  const perFile = Object.entries(files).map(([file, { mutants, commit }]) => {
    const counts = count(mutants);
    return { file, ...counts, score: scoreOf(counts), commit };
  });
  const all = count(Object.values(files).flatMap(({ mutants }) => mutants));
  const survivors = Object.entries(files).flatMap(([file, { source, mutants }]) => mutants.flatMap((each) => survivor(file, source, each)));
  const commits = [...new Set(perFile.map(({ commit }) => commit))].sort();
  const missing = sources.filter((file: string) => !files[file]);
  return { service, ...all, score: scoreOf(all), commits, missing, failing, files: perFile, survivors };
}

/** A mutant that no test noticed: where, what was there, what it became. */
function survivor(file: string, source: string, { status, location, mutatorName, replacement }: Mutant): Survivor[] {
  if (!UNDETECTED.includes(status)) return [];
  const { start, end } = location;
  const line = source.split('\n')[start.line - 1] ?? '';
  const original = start.line === end.line ? line.slice(start.column - 1, end.column - 1) : `${line.slice(start.column - 1)} …`;
  return [
    { file, line: start.line, column: start.column, mutator: mutatorName, original, replacement, unreached: status === 'NoCoverage' },
  ];
}

/** Sums of all services, with their score. */
export function total(rows: readonly Row[]): Counts & { readonly service: string; readonly score: number } {
  const sum = (field: keyof Counts) => rows.reduce((all, row) => all + row[field], 0);
  const counts = {
    mutants: sum('mutants'),
    killed: sum('killed'),
    timeouts: sum('timeouts'),
    survived: sum('survived'),
    unreached: sum('unreached'),
    invalid: sum('invalid'),
  };
  return { service: 'all', ...counts, score: scoreOf(counts) };
}

/** A Markdown table: services, then their sum. */
export function table(rows: readonly Row[]) {
  const filesOf = ({ files, missing }: Row) =>
    missing.length === 0 ? files.length : `${files.length} of ${files.length + missing.length}`;
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const row = (of: Counts & { readonly score: number }, name: string, files: string | number, at: string) =>
    line([name, files, of.mutants, of.killed, of.timeouts, of.survived, of.unreached, `${of.score.toFixed(1)} %`, at]);
  const commitsOf = ({ commits }: Row) => commits.map((commit) => `\`${commit}\``).join(', ');
  return [
    line(['Service', 'Files', 'Mutants', 'Killed', 'Timeouts among them', 'Survived', 'Unreached among them', 'Score', 'Measured at']),
    line(['---', '---:', '---:', '---:', '---:', '---:', '---:', '---:', '---']),
    ...rows.map((of) => row(of, `\`${of.service}\``, filesOf(of), commitsOf(of))),
    row(total(rows), '**All**', '', ''),
  ].join('\n');
}

/** Survivors as text, one a line. */
export function survivorLines(rows: readonly Row[]) {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 70);
  return rows
    .flatMap(({ survivors }) => survivors)
    .map(
      (of) =>
        `${of.file}:${of.line}:${of.column} ${of.mutator}${of.unreached ? ' (unreached)' : ''}: ${short(of.original)} → ${short(of.replacement)}`,
    );
}
