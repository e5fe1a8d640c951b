import { expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { afterFailure, STORE_FAILED, waitMs } from './offline-retry.ts';

test.each([
  ...['offline', 'timeout', 'unreadable', STORE_FAILED, '42207', '42901', '50001', '50301'].map((code) => [code, 'retry'] as const),
  ...['40003', '40101', '40301', '40302'].map((code) => [code, 'stop'] as const),
  ...['40001', '40403', '42201', 'photo_lost'].map((code) => [code, 'refused'] as const),
])('after a call that failed with %s: %s', (code, meaning) => {
  expect(afterFailure(new ApiFailure(code))).toBe(meaning);
});

test.each([
  [1, 0.5, undefined, 1000],
  [1, 0, undefined, 800],
  [1, 1, undefined, 1200],
  [5, 0.5, undefined, 16_000],
  [6, 0.5, undefined, 30_000],
  [1000, 0.5, undefined, 30_000],
  [1, 0.5, 10, 10_000],
  [1, 0.5, 86_400, 60_000],
])('after %d failures, by chance %d and asked for %p s, the wait is %d ms', (failures, random, retryAfter, expected) => {
  expect(waitMs(failures, random, retryAfter)).toBe(expected);
});
