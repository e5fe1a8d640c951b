import { expect, test } from '@jest/globals';
import { nextLinkAt } from './link-rules.ts';

test('the next link is possible when the first of those that work ends, or now', () => {
  expect(nextLinkAt([{ expiresAt: 7000 }, { expiresAt: 9000 }], 5000)).toBe(7000);
  // One has ended meanwhile, and no other works.
  expect(nextLinkAt([], 5000)).toBe(5000);
});
