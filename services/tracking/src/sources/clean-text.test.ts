import { expect, test } from '@jest/globals';
import { cleanText } from './clean-text.ts';

test('text is stored without control characters, runs of blanks and halves of characters', () => {
  expect(cleanText(' a\u0000b\n\t c ', 20)).toBe('a b c');
  expect(cleanText('x\ud800y', 20)).toBe('x\ufffdy');
});

test('text that is too long is cut between characters', () => {
  expect(cleanText('abc😀', 4)).toBe('abc');
  expect(cleanText(`${'a'.repeat(10)} b`, 11)).toBe('a'.repeat(10));
});

test('what is no text is none', () => {
  for (const value of [undefined, null, 5, {}, []]) expect(cleanText(value, 10)).toBe('');
});
