import { expect, test } from '@jest/globals';
import { imageUnusedSince } from './ports.ts';

test('an image counts as unused after 30 days', () => {
  expect(imageUnusedSince(1000)).toBe(2_592_001_000);
});
