import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exceptions, notRead } from './term-exceptions.ts';
import { type Term, terms } from './terms.ts';
import { wordsOf } from './words.ts';

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
