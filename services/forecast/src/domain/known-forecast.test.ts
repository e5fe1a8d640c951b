import { expect, test } from '@jest/globals';
import { contentOf, record } from '../testing/samples.ts';
import { keyText, submittedForecast } from './known-forecast.ts';

test('two forecasts have two keys', () => {
  expect(keyText({ tenantId: 'tnt_a', forecastNo: 'FC1' })).toBe('tnt_a FC1');
  expect(keyText({ tenantId: 'tnt_a', forecastNo: 'FC2' })).not.toBe(keyText({ tenantId: 'tnt_a', forecastNo: 'FC1' }));
  expect(keyText({ tenantId: 'tnt_b', forecastNo: 'FC1' })).not.toBe(keyText({ tenantId: 'tnt_a', forecastNo: 'FC1' }));
});

test('a stored forecast is read with its content and corrections', () => {
  const content = contentOf('FC1');
  const correction = { version: 2, at: 2000, keyId: 'key_1', changes: [], hasMoreChanges: false, request: null };
  const stored = { record: record('FC1'), content: JSON.stringify(content), corrections: [correction] };
  expect(submittedForecast(stored)).toEqual({ record: record('FC1'), content, corrections: [correction] });
});
