import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { fill, languageOf } from './languages.ts';

test.each([
  [['zh-Hans-CN', 'en'], 'zh'],
  [['de-DE', 'en-US', 'zh'], 'en'],
  [['ZH'], 'zh'],
  [['fr', 'constructor'], 'en'],
  [[], 'en'],
])('a reader of %j gets %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language);
});

test('a text has its values in their places, numbers of things, and no part without a value', () => {
  expect(fill('{1} of {0}', 'a', 'b')).toBe('b of a');
  expect([1, 2].map((count) => fill('{0|file|files}[, {1} MB]', count, '3'))).toEqual(['1 file, 3 MB', '2 files, 3 MB']);
  expect(fill('{0|file|files}[, {1} MB]', 0, '')).toBe('0 files');
});

/** Name of a text → the values that it has places for. */
const placesIn = (words: object, path = ''): string[] =>
  Object.entries(words).flatMap(([name, text]) =>
    typeof text === 'object' ? placesIn(text, `${path}${name}.`) : [`${path}${name} ${[...new Set(text.match(/(?<=\{)\d/g))].sort()}`],
  );

test.each(['page', 'console', 'station', 'operator'])('the %s has the same words in both languages, with the same values', (page) => {
  const [en, zh] = ['en', 'zh'].map((language) => {
    const { sentences: _, ...words } = JSON.parse(
      readFileSync(new URL(`../../${page}/src/messages/${language}.json`, import.meta.url), 'utf8'),
    );
    return placesIn(words);
  });
  expect(zh).toEqual(en);
});
