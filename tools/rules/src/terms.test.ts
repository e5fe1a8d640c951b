import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { exceptions, findTerms, termsIn } from './find-terms.ts';
import { terms } from './terms.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Terms found in a source, with their lines. */
const found = (source: string, path = 'docs/page.md') => termsIn(path, source).map(({ line, term }) => `${line} ${term}`);

describe('finds', () => {
  test.each([
    ['a word', 'Nobody was told.', ['1 tell']],
    ['a part of an identifier', 'const isUntoldYet = mendIdleTimer(DISABLING_TO_TELL);', ['1 tell', '1 tell', '1 mend']],
    ['a part of a snake_case name', 'told_at: {}', ['1 tell']],
    ['a phrase in a comment of two lines', '/**\n * Events that were taken\n * in.\n */', ['2 take in']],
    ['a phrase as an identifier', 'await batch.takeIn(event);\nwork_off()', ['1 take in', '2 work off']],
    ['a word behind a line feed that is written', String.raw`'a\ntold b'`, ['1 tell']],
    ['an object in the phrase', 'The queue gives it up.', ['1 give up']],
    ['a dead letter without its name', 'The letters of a topic are its dead letters.', ['1 letter']],
    ['a place of a text', 'The name stands in the header. They stand below each other.', ['1 stands', '1 stands']],
  ])('%s', (_what, source, expected) => expect(found(source)).toEqual(expected));

  test('a term in the name of a file', () => expect(found('', 'packages/kernel/src/keep-up.ts')).toEqual(['0 keep up']));
});

test.each([
  'packing slip, packing slips, dead letter, DeadLetters, dead_letters',
  'a timestamp, a telltale, a tell-tale; recommend, amend',
  '`0` stands for a wildcard; the clock stands still; a stand-in',
  'Letters, digits and hyphens. A dead letter has no letters and digits.',
  'a key in hand-written form; threaded by hand in two places; consumers that keep up',
  'what is happening; the rest; the front of the queue',
])('accepts "%s"', (source) => expect(found(source)).toEqual([]));

const { findings, used } = findTerms(root);
test('no file has an old term; `npm run terms -- FOLDER` lists them', () => {
  expect(findings.map((one) => `${one.path}:${one.line}: "${one.found}": use ${one.use}`)).toEqual([]);
});

test('every exception is needed', () => {
  expect(Object.keys(exceptions).filter((text) => !used.has(text))).toEqual([]);
});

test('docs/glossary.md defines the terms to use instead', () => {
  const glossary = readFileSync(`${root}docs/glossary.md`, 'utf8');
  const defined = [...glossary.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) => cell.replace(/ \(.*?\)/g, '').split(', '));
  expect(terms.flatMap(({ use }) => use).filter((term) => !defined.includes(term))).toEqual([]);
});
