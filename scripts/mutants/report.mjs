import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { results } from './scope.mjs';

/* What a run of the mutants came to, for people and for programs. */

const DETECTED = ['Killed', 'Timeout'];
const UNDETECTED = ['Survived', 'NoCoverage'];

/** Counts of one file or many: killed (timeouts included), timeouts among them, survivors, those that no test reaches. */
function count(mutants) {
  const of = (...states) => mutants.filter(({ status }) => states.includes(status)).length;
  const [killed, survived] = [of(...DETECTED), of(...UNDETECTED)];
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
const scoreOf = ({ killed, mutants }) => (mutants === 0 ? 100 : Math.floor((killed / mutants) * 1000) / 10);

/**
 * Kept results of a service with those of a run: of the files that were run the new ones, of the others those from before.
 * @param kept of the runs before; undefined when there are none
 * @param report of Stryker: `{ files }`
 * @param run.commit where the tree was
 * @param run.failing tests that fail without a mutant
 * @param run.mutated files that were run; the report leaves out those without a mutant, such as files of types
 * @param run.sources files that the service has now; results of others are dropped
 */
export function merge(kept, { files }, { commit, failing, mutated, sources }) {
  const measured = mutated.map((file) => {
    const { source = '', mutants = [] } = files[file] ?? {};
    return [file, { source, mutants, commit }];
  });
  const all = { ...kept?.files, ...Object.fromEntries(measured) };
  return { failing, files: Object.fromEntries(sources.filter((file) => all[file]).map((file) => [file, all[file]])) };
}

/** Where the results of a service are kept. */
const fileOf = (service) => `${results}${service}.json`;

/** Kept results of a service; undefined when there are none. */
export const readKept = (service) => (existsSync(fileOf(service)) ? JSON.parse(readFileSync(fileOf(service), 'utf8')) : undefined);

/** Keeps results. */
export const writeKept = (service, kept) => writeFileSync(fileOf(service), JSON.stringify(kept));

/**
 * What the kept results of a service come to.
 * @param sources files of the service; those without a result are `missing`
 */
export function rowOf(service, { files, failing }, sources) {
  const perFile = Object.entries(files).map(([file, { mutants, commit }]) => {
    const counts = count(mutants);
    return { file, ...counts, score: scoreOf(counts), commit };
  });
  const all = count(Object.values(files).flatMap(({ mutants }) => mutants));
  const survivors = Object.entries(files).flatMap(([file, { source, mutants }]) => mutants.flatMap((each) => survivor(file, source, each)));
  const commits = [...new Set(perFile.map(({ commit }) => commit))].sort();
  const missing = sources.filter((file) => !files[file]);
  return { service, ...all, score: scoreOf(all), commits, missing, failing, files: perFile, survivors };
}

/** A mutant that no test noticed: where, what stood there, what it became. */
function survivor(file, source, { status, location, mutatorName, replacement }) {
  if (!UNDETECTED.includes(status)) return [];
  const { start, end } = location;
  const line = source.split('\n')[start.line - 1] ?? '';
  const original = start.line === end.line ? line.slice(start.column - 1, end.column - 1) : `${line.slice(start.column - 1)} …`;
  return [
    { file, line: start.line, column: start.column, mutator: mutatorName, original, replacement, unreached: status === 'NoCoverage' },
  ];
}

/** Sums of all services, with their score. */
export function total(rows) {
  const sum = (field) => rows.reduce((all, { [field]: value }) => all + value, 0);
  const counts = Object.fromEntries(['mutants', 'killed', 'timeouts', 'survived', 'unreached', 'invalid'].map((key) => [key, sum(key)]));
  return { service: 'all', ...counts, score: scoreOf(counts) };
}

/** A Markdown table: services, then their sum. */
export function table(rows) {
  const filesOf = ({ files, missing }) => (missing.length === 0 ? files.length : `${files.length} of ${files.length + missing.length}`);
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const row = (of, name, files, at) =>
    line([name, files, of.mutants, of.killed, of.timeouts, of.survived, of.unreached, `${of.score.toFixed(1)} %`, at]);
  const commitsOf = ({ commits }) => commits.map((commit) => `\`${commit}\``).join(', ');
  return [
    line(['Service', 'Files', 'Mutants', 'Killed', 'Timeouts among them', 'Survived', 'Unreached among them', 'Score', 'Measured at']),
    line(['---', '---:', '---:', '---:', '---:', '---:', '---:', '---:', '---']),
    ...rows.map((of) => row(of, `\`${of.service}\``, filesOf(of), commitsOf(of))),
    row(total(rows), '**All**', '', ''),
  ].join('\n');
}

/** Survivors as text, one a line. */
export function survivorLines(rows) {
  const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 70);
  return rows
    .flatMap(({ survivors }) => survivors)
    .map(
      (of) =>
        `${of.file}:${of.line}:${of.column} ${of.mutator}${of.unreached ? ' (unreached)' : ''}: ${short(of.original)} → ${short(of.replacement)}`,
    );
}

const PART = /(<!-- mutants: score -->\n)[\s\S]*?(<!-- end: mutants -->)/;

/** The document with its table made anew. Throws Error when it has no place for one. */
export function withTable(markdown, rows) {
  if (!PART.test(markdown)) throw new Error('The document has no "<!-- mutants: score -->" … "<!-- end: mutants -->"');
  return markdown.replace(PART, (_whole, begin, end) => `${begin}\n${table(rows)}\n\n${end}`);
}
