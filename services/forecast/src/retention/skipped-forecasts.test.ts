import { expect, test } from '@jest/globals';
import { SkippedForecasts } from './skipped-forecasts.ts';

const TEN_MINUTES = 600_000;
const forecast = (forecastNo: string, tenantId = 'tnt_a') => ({ tenantId, forecastNo });

test('a forecast and its files are skipped each by itself, tenant by tenant', () => {
  const skipped = new SkippedForecasts();
  expect([skipped.failed('files', forecast('F1'), 0), skipped.failed('forecast', forecast('F2'), 0)]).toEqual([1, 1]);
  const isDue = (now: number) => [
    skipped.isDue('files', forecast('F1'), now),
    skipped.isDue('forecast', forecast('F1'), now),
    skipped.isDue('files', forecast('F1', 'tnt_b'), now),
    skipped.isDue('forecast', forecast('F2'), now),
  ];
  expect(isDue(TEN_MINUTES - 1)).toEqual([false, true, true, false]);
  expect(isDue(TEN_MINUTES)).toEqual([true, true, true, true]);
  skipped.settled('files', forecast('F1'));
  expect(isDue(0)).toEqual([true, true, true, false]);
});

test('keeps a bounded number', () => {
  const skipped = new SkippedForecasts();
  for (let no = 0; no <= 10_000; no += 1) skipped.failed('forecast', forecast(`F${no}`), 0);
  expect([skipped.isDue('forecast', forecast('F0'), 0), skipped.isDue('forecast', forecast('F1'), 0)]).toEqual([true, false]);
});
