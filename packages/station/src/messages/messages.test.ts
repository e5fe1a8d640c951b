import { expect, test } from '@jest/globals';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { exceptionReasons } from '@parcelway/contracts/parcel-reports';
import { intakeWarningRules, warehouseEventTypes } from '@parcelway/contracts/warehouse-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { en, type Messages } from './en.ts';
import { failureText } from './failure-text.ts';
import { zh } from './zh.ts';

function flat(words: object, path = ''): Array<readonly [path: string, value: string]> {
  return Object.entries(words).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') return [[at, value] as const];
    return typeof value === 'function' ? [[at, String(value('7', '8'))] as const] : flat(value as object, at);
  });
}

test('the two languages have words for the same things, and leave nothing empty', () => {
  expect(flat(zh).map(([path]) => path)).toEqual(flat(en).map(([path]) => path));
  expect([...flat(en), ...flat(zh)].filter(([, value]) => value.trim() === '')).toEqual([]);
});

test('what reads the same in both is a term', () => {
  const english = new Map(flat(en));
  const same = flat(zh).filter(([path, value]) => english.get(path) === value);
  expect(same.map(([, value]) => value)).toEqual(['SKU']);
});

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
  expect(failureText(failure, en.failures)).toBe(expected);
});
