import { expect, test } from '@jest/globals';
import { plural } from '../languages.ts';

test.each([
  [0, '0 deliveries'],
  [1, '1 delivery'],
  [2, '2 deliveries'],
])('%d', (count, text) => {
  expect(plural(count, 'delivery', 'deliveries')).toBe(text);
});
