import { describe, expect, test } from '@jest/globals';
import { CODE_PATTERN, EVENT_ID_PATTERN, EXTERNAL_ID_PATTERN, patternMessages, TEXT_PATTERN } from './text.ts';

const matches = (pattern: string, value: string): boolean => new RegExp(pattern, 'u').test(value);

/** Pattern, its name, what it accepts, what it refuses. */
const cases: readonly (readonly [name: string, pattern: string, accepted: readonly string[], refused: readonly string[]])[] = [
  ['text', TEXT_PATTERN, ['', 'a b', ' edge ', '快递', '😀'], ['a\u0000', 'a\nb', '\t', '\u007f', '\u0085']],
  ['event id', EVENT_ID_PATTERN, ['a', '.a', '..a.', 'wh:1/2@x.y+z_-', '-', '/'], ['', '.', '..', '...', 'a b', 'ä', 'a\n', '.\n']],
  ['outside id', EXTERNAL_ID_PATTERN, ['a', 'wh:1/2@x.y+z_-', 'a'.repeat(128)], ['', 'a b', 'ä', 'a'.repeat(129), 'a\n']],
  ['code', CODE_PATTERN, ['A', 'LAX-1', '4px.us_2'], ['', '-A', '.a', 'A B', 'Ä', 'A\n']],
];

describe.each(cases)('the pattern of %s', (_name, pattern, accepted, refused) => {
  test('accepts what is meant', () => {
    expect(accepted.filter((value) => !matches(pattern, value))).toEqual([]);
  });

  test('refuses everything else', () => {
    expect(refused.filter((value) => matches(pattern, value))).toEqual([]);
  });

  test('is explained in words', () => {
    expect(patternMessages[pattern]).toMatch(/^must /);
  });
});

describe('laws of the patterns', () => {
  test.each(cases)('a hostile %s is judged in linear time', (_name, pattern) => {
    // A pattern that backtracks exponentially would never return from these.
    for (const value of [`${' -'.repeat(20_000)}\u0000`, `${'1 '.repeat(20_000)}\n`, `${'. '.repeat(20_000)}x\u0000`]) {
      expect(matches(pattern, value)).toBe(false);
    }
  });
});
