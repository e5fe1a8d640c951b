import { expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { ApiFailure } from '@parcelway/page/api/failure';
import { failureText } from './failure-text.ts';
import { words } from './words.ts';

const { en } = words;

test.each([
  [new ApiFailure('timeout'), en.failures.offline],
  [new ApiFailure('40003'), en.failures.badKey],
  [new ApiFailure('40301', { detail: 'The API key lacks the scope warehouse:read' }), `${en.failures.noPermission} warehouse:read`],
  [new ApiFailure('40301', { detail: 'This route is for warehouses' }), en.failures.merchantKey],
  [new ApiFailure('40302', { detail: 'suspended' }), `${en.failures.other} 40302 suspended`],
])('%s becomes a sentence', (failure, expected) => {
  expect(failureText(failure, en)).toBe(expected);
});

test('Every status of a forecast has a word', () => {
  expect(Object.keys(en.statuses)).toEqual(Object.values(forecastStatuses).map(String));
});
