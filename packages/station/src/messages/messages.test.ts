import { expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { exceptionReasons } from '@parcelway/contracts/parcel-reports';
import { intakeWarningRules, warehouseEventTypes } from '@parcelway/contracts/warehouse-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { failureText } from './failure-text.ts';
import { en, type Messages, zh } from './words.ts';

test.each<[string, Messages]>([
  ['English', en],
  ['Chinese', zh],
])('%s has a word for every value of the API', (_language, words) => {
  expect(Object.keys(words.parcel.statuses)).toEqual(Object.values(forecastStatuses).map(String));
  expect(Object.keys(words.exceptionReasons)).toEqual([...exceptionReasons]);
  expect(Object.keys(words.reportTypes)).toEqual([...warehouseEventTypes, 'count']);
  expect(Object.keys(words.warnings)).toEqual(expect.arrayContaining(intakeWarningRules.filter((rule) => rule !== 'unknown_field')));
});

test.each([
  [new ApiFailure('timeout'), en.failures.offline],
  [new ApiFailure('40003'), en.failures.badKey],
  [new ApiFailure('40301', { detail: 'The API key lacks the scope warehouse:read' }), `${en.failures.noPermission} warehouse:read`],
  [new ApiFailure('40301', { detail: 'This route is for warehouses' }), en.failures.merchantKey],
  [new ApiFailure('40302', { detail: 'suspended' }), `${en.failures.other} 40302 suspended`],
])('%s becomes a sentence', (failure, expected) => {
  expect(failureText(failure, en)).toBe(expected);
});
