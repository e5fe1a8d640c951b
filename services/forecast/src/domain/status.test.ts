import { describe, expect, test } from '@jest/globals';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ForecastType } from './canonical.ts';
import { holdsPoNumber, holdsTrackingNumbers, type Step, statusAfter, takesDispatch } from './status.ts';

const { ACCEPTED, ARRIVED, WEIGHED, PROCESSING, SHIPPED, COMPLETED, CANCELLED } = forecastStatuses;
const all = Object.values(forecastStatuses) as ForecastStatus[];

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

describe('a forecast holds', () => {
  test('its po_number until it is cancelled', () => {
    expect(all.filter(holdsPoNumber)).toEqual(all.filter((status) => status !== CANCELLED));
  });

  test('its logistics numbers while it is under way, if it is direct mail', () => {
    expect(all.filter((status) => holdsTrackingNumbers(status, 2))).toEqual([ACCEPTED, ARRIVED, WEIGHED, PROCESSING, SHIPPED]);
    expect(all.filter((status) => holdsTrackingNumbers(status, 1))).toEqual([]);
  });
});

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

test('a po_number is held until cancellation, logistics numbers until the end and by type 2 only', () => {
  const all: ForecastStatus[] = [1, 2, 3, 4, 5, 6, 7];
  expect(all.filter(holdsPoNumber)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(all.filter((status) => holdsTrackingNumbers(status, 2))).toEqual([1, 2, 3, 4, 5]);
  expect(all.filter((status) => holdsTrackingNumbers(status, 1))).toEqual([]);
});
