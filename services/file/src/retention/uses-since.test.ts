import { expect, test } from '@jest/globals';
import { usesKnownFrom } from './uses-since.ts';

test('uses are known of every upload in a new installation, and after a day in one with files', () => {
  expect(usesKnownFrom(1000, false)).toBe(0);
  expect(usesKnownFrom(1000, true)).toBe(86_401_000);
});
