import { describe, expect, test } from '@jest/globals';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ForecastType } from './canonical.ts';
import { type Step, statusAfter, takesDispatch } from './status-transitions.ts';

const { ACCEPTED, ARRIVED, WEIGHED, PROCESSING, SHIPPED, COMPLETED, CANCELLED } = forecastStatuses;

describe('a step leads an accepted forecast', () => {
  test.each<[Step, ForecastStatus, ForecastStatus]>([
    ['warehouse.arrived', ARRIVED, ARRIVED],
    ['warehouse.weighed', WEIGHED, WEIGHED],
    ['warehouse.photographed', ACCEPTED, ACCEPTED],
    ['warehouse.processed', PROCESSING, PROCESSING],
    ['warehouse.put-away', COMPLETED, ACCEPTED],
    ['warehouse.dispatched', ACCEPTED, SHIPPED],
    ['tracking.ended', ACCEPTED, COMPLETED],
  ])('by %s to %i (replenishment) and %i (direct mail)', (step, one, two) => {
    expect([statusAfter(ACCEPTED, 1, step), statusAfter(ACCEPTED, 2, step)]).toEqual([one, two]);
  });
});

test('a late or repeated step changes nothing, and nothing moves what is cancelled', () => {
  expect(statusAfter(WEIGHED, 2, 'warehouse.weighed')).toBe(WEIGHED);
  expect(statusAfter(SHIPPED, 2, 'warehouse.arrived')).toBe(SHIPPED);
  expect(statusAfter(CANCELLED, 2, 'warehouse.weighed')).toBe(CANCELLED);
});

test('only what is sent on takes a dispatch', () => expect([takesDispatch(1), takesDispatch(2)]).toEqual([false, true]));

describe('statusAfter', () => {
  test.each<[ForecastType, ForecastStatus, Step, ForecastStatus]>([
    [2, 1, 'warehouse.weighed', 3],
    [2, 4, 'warehouse.weighed', 4],
    [2, 1, 'warehouse.dispatched', 5],
    [2, 5, 'warehouse.put-away', 5],
    [2, 1, 'tracking.ended', 6],
    [1, 4, 'warehouse.put-away', 6],
    [1, 4, 'tracking.ended', 4],
    [1, 6, 'warehouse.arrived', 6],
    [2, 7, 'warehouse.arrived', 7],
  ])('type %d, status %d, %s → %d', (forecastType, before, step, expected) => {
    expect(statusAfter(before, forecastType, step)).toBe(expected);
  });
});
