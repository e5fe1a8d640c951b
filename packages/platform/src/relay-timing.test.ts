import { expect, test } from '@jest/globals';
import { relayTiming } from './relay-timing.ts';

test.each([
  [1, 8],
  [5, 8],
  [10, 15],
  [20, 30],
  [500, 30],
])('behind a publication of %d messages others gather for %d ms', (published, ms) => {
  expect(relayTiming.gatherMs(published)).toBe(ms);
});
