import { expect, test } from '@jest/globals';
import { T0 } from '../../testing/webhook-fixtures.ts';
import { type DeliveryProgress, isInFlight, newRun } from './in-flight.ts';

const due: DeliveryProgress = { status: 'pending', nextAttemptAt: T0, isLeased: false };

test.each<[string, Partial<DeliveryProgress>, boolean]>([
  ['is due', {}, true],
  ['waits for its next attempt', { nextAttemptAt: T0 + 1 }, false],
  ['is leased, by a process whose clock is ahead', { nextAttemptAt: T0 + 1, isLeased: true }, true],
  ['was held', { status: 'held', nextAttemptAt: null }, false],
  ['has succeeded', { status: 'succeeded', nextAttemptAt: null }, false],
  ['has failed', { status: 'failed', nextAttemptAt: null }, false],
])('a delivery that %s is in flight or not', (_name, given, expected) => {
  expect(isInFlight({ ...due, ...given }, T0)).toBe(expected);
});

test('a delivery is in flight from the beginning of a new run', () => {
  expect(isInFlight({ ...newRun(T0), isLeased: false }, T0)).toBe(true);
});
