import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Term, terms } from './terms.ts';

/** A use of an old term that is right. */
interface Exception {
  /** As it is written. */
  readonly text: string;
  readonly reason: string;
}

/** Files whose words are not those of the product. */
interface NotRead {
  readonly paths: RegExp;
  readonly reason: string;
}

export const exceptions: readonly Exception[] = [
  { text: 'readonly told: string', reason: 'the stored field that orders the dispatches of a forecast' },
  { text: 'told: reportedBy', reason: 'the stored field that orders the dispatches of a forecast' },
  { text: 'found.told', reason: 'the stored field that orders the dispatches of a forecast' },
  { text: 'before.told', reason: 'the stored field that orders the dispatches of a forecast' },
  { text: "told: '", reason: 'the stored field that orders the dispatches of a forecast' },
  { text: 'unexpected_answer', reason: 'a code that the client of merchants throws; programs compare it' },
  { text: '`handed over`', reason: 'a status of carriers' },
  { text: 'forecast.after-answer', reason: 'the name of a failpoint' },
  { text: 'is hereby granted', reason: 'a quote of the MIT licence' },
  { text: ', handed over,', reason: 'a phrase of carriers, to recognise a status by' },
];

const notRead: readonly NotRead[] = [
  { paths: /^packages\/contracts\/released\//, reason: 'contracts as they were released' },
  { paths: /^package-lock\.json$/, reason: 'names and hashes of packages of others' },
  { paths: /(^|\/)LICENSE$/, reason: 'the text of a licence' },
  { paths: /^tools\/rules\/src\/(find-terms|terms)(\.test)?\.ts$/, reason: 'names the old terms' },
];

/** The words of a text, one behind the other, and where each of them begins. */
interface Words {
  /** In lower case. Between two words: ` ` where white space parts them, `-` where they are parts of an identifier, ` | ` elsewhere. */
  readonly text: string;
  /** @returns the line of the source, from 1, of a place in `text` */
  lineOf(place: number): number;
}

/** Words of camelCase, PascalCase, snake_case and kebab-case; several capitals are one word. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
/** What a line of a comment, a list or a table in front of its text holds. */
const SPACE = /^(?:\s|[*#>]|\/\/)+$/;
const IDENTIFIER = /^[-_]?$/;

function separator(between: string): string {
  if (IDENTIFIER.test(between)) return '-';
  return SPACE.test(between) ? ' ' : ' | ';
}

/** Takes a source apart into its words. A line feed that is written `\n` is white space. */
function wordsOf(source: string): Words {
  const plain = source.replace(/\\[nt]/g, '  ');
  const places: { readonly at: number; readonly from: number }[] = [];
  let text = '';
  let end = 0;
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    if (text !== '') text += separator(plain.slice(end, index));
    places.push({ at: text.length, from: index });
    text += word.toLowerCase();
    end = index + word.length;
  }
  return {
    text,
    lineOf(place) {
      const from = places.findLast(({ at }) => at <= place)?.from ?? 0;
      return plain.slice(0, from).split('\n').length;
    },
  };
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

/** What to write instead of a term, as text. */
export function adviceOf({ use, words }: Term): string {
  return [...use, ...(words === undefined ? [] : [words])].join(', ');
}

/** The source without the exceptions that it contains. @param used collects their texts */
function withoutExceptions(source: string, used?: Set<string>): string {
  let rest = source;
  for (const { text } of exceptions) {
    if (!rest.includes(text)) continue;
    used?.add(text);
    rest = rest.replaceAll(text, text.replace(/[^\n]/g, '\0'));
  }
  return rest;
}

/** Old terms in a source, in the order of its lines. @param used collects the texts of the exceptions that it contains */
export function termsIn(path: string, source: string, used?: Set<string>): Finding[] {
  const words = wordsOf(withoutExceptions(source, used));
  const name = wordsOf(path);
  return terms
    .filter(({ inFiles }) => inFiles === undefined || inFiles.test(source))
    .flatMap((term) => [
      ...[...name.text.matchAll(term.pattern)].map(({ 0: found }) => ({ path, line: 0, found, term: term.name, use: adviceOf(term) })),
      ...[...words.text.matchAll(term.pattern)].map(({ 0: found, index }) => ({
        path,
        line: words.lineOf(index),
        found,
        term: term.name,
        use: adviceOf(term),
      })),
    ])
    .sort((a, b) => a.line - b.line);
}

/** Old terms in the tracked text files. */
export interface Findings {
  readonly findings: readonly Finding[];
  /** Texts of the exceptions that were met. */
  readonly used: ReadonlySet<string>;
}

/** Reads every text file that git tracks below a root. @param folders paths from the root; none for all */
export function findTerms(root: string, folders: readonly string[] = []): Findings {
  const used = new Set<string>();
  const findings = execFileSync('git', ['ls-files', '-z', '--', ...folders], { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 })
    .split('\0')
    .filter((path) => path !== '' && notRead.every(({ paths }) => !paths.test(path)) && existsSync(join(root, path)))
    .flatMap((path) => {
      const source = readFileSync(join(root, path), 'utf8');
      return source.includes('\0') ? [] : termsIn(path, source, used);
    });
  return { findings, used };
}
