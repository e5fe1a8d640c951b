import { expect, test } from '@jest/globals';
import { type Dispatch, initialProgress } from './forecast.ts';
import { isShipped, isTrackedSoon } from './is-shipped.ts';

const dispatch: Dispatch = { carrierCode: 'acme', trackingNumber: 'T1', dispatchedAt: 'at 1', dispatchedAtMs: 1 };
const dispatched = { ...initialProgress(0), dispatch };

test('a forecast is shipped from its dispatch on', () => {
  expect(isShipped({ progress: initialProgress(0) })).toBe(false);
  expect(isShipped({ progress: dispatched })).toBe(true);
});

test('an untracked parcel is tracked soon for a day from the record of its dispatch on', () => {
  const { history } = initialProgress(0);
  const progress = { ...dispatched, history: [...history, { status: 5 as const, at: 1000, reason: 'warehouse.dispatched' }] };
  expect([1000, 86_400_999, 86_401_000].map((now) => isTrackedSoon({ progress }, now))).toEqual([true, true, false]);
  expect(isTrackedSoon({ progress: initialProgress(0) }, 1000)).toBe(false);
});
