import { describe, expect, test } from '@jest/globals';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { holdsPoNumber, holdsTrackingNumbers } from './status.ts';

const { ACCEPTED, ARRIVED, WEIGHED, PROCESSING, SHIPPED, CANCELLED } = forecastStatuses;
const all = Object.values(forecastStatuses) as ForecastStatus[];

describe('a forecast holds', () => {
  test('its po_number until it is cancelled', () => {
    expect(all.filter(holdsPoNumber)).toEqual(all.filter((status) => status !== CANCELLED));
  });

  test('its logistics numbers while it is under way, if it is direct mail', () => {
    expect(all.filter((status) => holdsTrackingNumbers(status, 2))).toEqual([ACCEPTED, ARRIVED, WEIGHED, PROCESSING, SHIPPED]);
    expect(all.filter((status) => holdsTrackingNumbers(status, 1))).toEqual([]);
  });
});

test('a po_number is held until cancellation, logistics numbers until the end and by type 2 only', () => {
  const all: ForecastStatus[] = [1, 2, 3, 4, 5, 6, 7];
  expect(all.filter(holdsPoNumber)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(all.filter((status) => holdsTrackingNumbers(status, 2))).toEqual([1, 2, 3, 4, 5]);
  expect(all.filter((status) => holdsTrackingNumbers(status, 1))).toEqual([]);
});
