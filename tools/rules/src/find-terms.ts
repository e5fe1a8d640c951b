import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { terms } from './terms.ts';

/** Uses of old terms that are right, as they are written, and why. */
export const exceptions: Readonly<Record<string, string>> = {
  'readonly told: string': 'the stored field that orders the dispatches of a forecast',
  'told: reportedBy': 'the same field',
  'found.told': 'the same field',
  'before.told': 'the same field',
  "told: '": 'the same field',
  unexpected_answer: 'a code that the client of merchants throws; programs compare it',
  '`handed over`': 'a status of carriers',
  'forecast.after-answer': 'the name of a failpoint',
  'is hereby granted': 'a quote of the MIT licence',
  ', handed over,': 'a phrase of carriers, to recognise a status by',
};

/** Files whose words are not those of the product: released contracts, packages of others, licences, and these lists. */
const NOT_READ =
  /^packages\/contracts\/released\/|^package-lock\.json$|(^|\/)LICENSE$|^tools\/rules\/src\/(find-terms|terms)(\.test)?\.ts$/;

/** Words of camelCase, PascalCase, snake_case and kebab-case; several capitals are one word. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
/** What a line of a comment, a list or a table in front of its text holds. */
const SPACE = /^(?:\s|[*#>]|\/\/)+$/;

/**
 * The words of a source in lower case. Between two words: ` ` where white space parts them, `-` where they are parts of an identifier, ` | `
 * elsewhere. A line feed that is written `\n` is white space.
 */
function wordsOf(source: string): { readonly text: string; readonly lineOf: (place: number) => number } {
  const plain = source.replace(/\\[nt]/g, '  ');
  const places: { readonly at: number; readonly from: number }[] = [];
  let text = '';
  let end = 0;
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    const between = plain.slice(end, index);
    if (text !== '') text += /^[-_]?$/.test(between) ? '-' : SPACE.test(between) ? ' ' : ' | ';
    places.push({ at: text.length, from: index });
    text += word.toLowerCase();
    end = index + word.length;
  }
  const lineOf = (place: number) => plain.slice(0, places.findLast(({ at }) => at <= place)?.from ?? 0).split('\n').length;
  return { text, lineOf };
}

/** An old term in a file. */
export interface Finding {
  /** From the root of the repository. */
  readonly path: string;
  /** From 1; 0 when the name of the file has the term. */
  readonly line: number;
  /** As it is written, in lower case and with `-` between the parts of an identifier. */
  readonly found: string;
  /** Name of the term. */
  readonly term: string;
  /** What to write instead. */
  readonly use: string;
}

/** Old terms in a source, in the order of its lines. @param used collects the exceptions that it contains */
export function termsIn(path: string, source: string, used = new Set<string>()): Finding[] {
  const met = Object.keys(exceptions).filter((text) => source.includes(text));
  for (const text of met) used.add(text);
  const words = wordsOf(met.reduce((rest, text) => rest.replaceAll(text, text.replace(/[^\n]/g, '\0')), source));
  const name = wordsOf(path);
  return terms
    .filter(({ inFiles }) => inFiles === undefined || inFiles.test(source))
    .flatMap(({ name: term, pattern, use, words: plain = [] }) => {
      const advice = { term, use: [...use, plain].flat().join(', ') };
      return [
        ...[...name.text.matchAll(pattern)].map(({ 0: found }) => ({ path, line: 0, found, ...advice })),
        ...[...words.text.matchAll(pattern)].map(({ 0: found, index }) => ({ path, line: words.lineOf(index), found, ...advice })),
      ];
    })
    .sort((a, b) => a.line - b.line);
}

/** Reads every text file that git tracks below a root. @param folders paths from the root; none for all @returns with the exceptions that were met */
export function findTerms(
  root: string,
  folders: readonly string[] = [],
): { readonly findings: Finding[]; readonly used: ReadonlySet<string> } {
  const used = new Set<string>();
  const findings = execFileSync('git', ['ls-files', '-z', '--', ...folders], { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 })
    .split('\0')
    .filter((path) => path !== '' && !NOT_READ.test(path) && existsSync(join(root, path)))
    .flatMap((path) => {
      const source = readFileSync(join(root, path), 'utf8');
      return source.includes('\0') ? [] : termsIn(path, source, used);
    });
  return { findings, used };
}
