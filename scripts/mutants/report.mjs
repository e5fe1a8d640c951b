import { existsSync, readFileSync } from 'node:fs';
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

/** The latest result of each service that has one. */
export function readResults(services) {
  return services
    .filter((service) => existsSync(`${results}${service}.json`))
    .map((service) => {
      const { files } = JSON.parse(readFileSync(`${results}${service}.json`, 'utf8'));
      const { seconds, failing } = JSON.parse(readFileSync(`${results}${service}-run.json`, 'utf8'));
      const perFile = Object.entries(files).map(([file, { mutants }]) => ({ file, ...count(mutants), score: scoreOf(count(mutants)) }));
      const all = count(Object.values(files).flatMap(({ mutants }) => mutants));
      const survivors = Object.entries(files).flatMap(([file, { source, mutants }]) =>
        mutants.flatMap((each) => survivor(file, source, each)),
      );
      return { service, ...all, score: scoreOf(all), seconds, failing, files: perFile, survivors };
    });
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
  const counts = Object.fromEntries(
    ['mutants', 'killed', 'timeouts', 'survived', 'unreached', 'invalid', 'seconds'].map((key) => [key, sum(key)]),
  );
  return { service: 'all', ...counts, score: scoreOf(counts) };
}

/** A Markdown table: services, then their sum. */
export function table(rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const row = (of, name) => line([name, of.mutants, of.killed, of.timeouts, of.survived, of.unreached, `${of.score.toFixed(1)} %`]);
  return [
    line(['Service', 'Mutants', 'Killed', 'Timeouts among them', 'Survived', 'Unreached among them', 'Score']),
    line(['---', '---:', '---:', '---:', '---:', '---:', '---:']),
    ...rows.map((of) => row(of, `\`${of.service}\``)),
    row(total(rows), '**All**'),
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
