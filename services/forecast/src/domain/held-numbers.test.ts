import { describe, expect, test } from '@jest/globals';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { canonicalForecast } from './canonical.ts';
import { claimsOf, holdsPoNumber, holdsTrackingNumbers } from './held-numbers.ts';

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

test('a forecast claims its logistics numbers, if it is direct mail', () => {
  const items = [{ sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number: 'ab-12' }];
  const submission = { po_number: 'PO-1', warehouse_code: 'WH1', items };
  expect(claimsOf(canonicalForecast({ ...submission, forecast_type: 2 }))).toEqual(['AB12']);
  expect(claimsOf(canonicalForecast({ ...submission, forecast_type: 1 }))).toEqual([]);
});
