import { expect, test } from '@jest/globals';
import { isSameShipment, latestDispatch } from './current-dispatch.ts';
import type { Dispatch } from './forecast.ts';

const dispatch = (at: number, carrierCode = 'acme', trackingNumber = 'T1'): Dispatch => ({
  carrierCode,
  trackingNumber,
  dispatchedAt: `at ${at}`,
  dispatchedAtMs: at,
});

test('the dispatch that is latest in the warehouse holds; of two at one instant the later report', () => {
  const [early, late, other] = [dispatch(1), dispatch(2), dispatch(2, 'acme', 'T2')];
  expect(latestDispatch(null, early)).toBe(early);
  expect(latestDispatch(early, late)).toBe(late);
  expect(latestDispatch(late, early)).toBe(late);
  expect(latestDispatch(late, other)).toBe(other);
});

test('a dispatch is another one when its carrier or its number differs', () => {
  expect(isSameShipment(null, dispatch(1))).toBe(false);
  expect(isSameShipment(dispatch(1), dispatch(2))).toBe(true);
  expect(isSameShipment(dispatch(1), dispatch(1, 'ups'))).toBe(false);
  expect(isSameShipment(dispatch(1), dispatch(1, 'acme', 'T2'))).toBe(false);
});
