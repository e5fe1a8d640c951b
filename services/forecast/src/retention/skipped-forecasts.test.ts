import { expect, test } from '@jest/globals';
import { MAX_TRIES } from '@parcelway/kernel/skipped-items';
import type { EndedForecast } from './ports.ts';
import { SkippedForecasts } from './skipped-forecasts.ts';

const MINUTE = 60_000;
const forecast = (forecastNo: string, tenantId = 'tnt_a'): EndedForecast => ({
  tenantId,
  forecastNo,
  forecastId: 1,
  itemCount: 1,
  endedAt: 1,
  version: 1,
});

test('one that fails is tried again after a pause that grows to a day, and not for ever', () => {
  const skipped = new SkippedForecasts();
  const bad = forecast('F1');
  expect(skipped.isDue('forecast', bad, 0)).toBe(true);
  expect([skipped.failed('forecast', bad, 0), skipped.failed('forecast', bad, 0)]).toEqual([1, 2]);
  expect([20 * MINUTE - 1, 20 * MINUTE].map((now) => skipped.isDue('forecast', bad, now))).toEqual([false, true]);
  expect(skipped.isDue('files', bad, 0)).toBe(true);
  for (let tries = 3; tries < MAX_TRIES; tries += 1) skipped.failed('forecast', bad, 0);
  expect([86_399_999, 86_400_000].map((now) => skipped.isDue('forecast', bad, now))).toEqual([false, true]);
  expect(skipped.failed('forecast', bad, 0)).toBe(MAX_TRIES);
  expect(skipped.isDue('forecast', bad, Number.MAX_SAFE_INTEGER)).toBe(false);
  skipped.settled('forecast', bad);
  expect(skipped.isDue('forecast', bad, 0)).toBe(true);
});

test('files that are to be tried again are found by their tenant', () => {
  const skipped = new SkippedForecasts();
  skipped.failed('files', forecast('F1'), 0);
  skipped.failed('files', forecast('F2', 'tnt_b'), 0);
  skipped.failed('forecast', forecast('F3'), 0);
  expect(skipped.filesDue('tnt_a', 0)).toEqual([]);
  expect(skipped.filesDue('tnt_a', 10 * MINUTE).map(({ forecastNo }) => forecastNo)).toEqual(['F1']);
});

test('keeps a bounded number', () => {
  const skipped = new SkippedForecasts();
  for (let no = 0; no <= 10_000; no += 1) skipped.failed('forecast', forecast(`F${no}`), 0);
  expect([skipped.isDue('forecast', forecast('F0'), 0), skipped.isDue('forecast', forecast('F1'), 0)]).toEqual([true, false]);
});
