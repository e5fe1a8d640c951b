import { expect, test } from '@jest/globals';
import { type Dispatch, initialProgress } from './forecast.ts';
import { isShipped } from './is-shipped.ts';

const dispatch: Dispatch = { carrierCode: 'acme', trackingNumber: 'T1', dispatchedAt: 'at 1', dispatchedAtMs: 1 };
const dispatched = { ...initialProgress(0), dispatch };

test('a type 2 forecast is shipped from its dispatch on', () => {
  expect(isShipped({ forecastType: 2, progress: initialProgress(0) })).toBe(false);
  expect(isShipped({ forecastType: 2, progress: dispatched })).toBe(true);
});

test('a type 1 forecast is never shipped', () => {
  expect(isShipped({ forecastType: 1, progress: initialProgress(0) })).toBe(false);
  // Taken down by a release that still took it.
  expect(isShipped({ forecastType: 1, progress: dispatched })).toBe(false);
});
