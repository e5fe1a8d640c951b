import { expect, test } from '@jest/globals';
import { retentionChanged, UNCHOSEN } from './tenant-retention.ts';

const known = { version: 3, forecastDays: 400, fileDays: 90 };

test('a retention keeps what a change does not name, and null is a choice', () => {
  expect(retentionChanged(UNCHOSEN, { forecastDays: 400 })).toEqual({ version: 1, forecastDays: 400, fileDays: null });
  expect(retentionChanged(known, { fileDays: 30 })).toEqual({ ...known, version: 4, fileDays: 30 });
  expect(retentionChanged(known, { forecastDays: null })).toEqual({ ...known, version: 4, forecastDays: null });
});

test('a retention is not changed by what it is already', () => {
  expect(retentionChanged(known, {})).toBeUndefined();
  expect(retentionChanged(known, { forecastDays: 400, fileDays: 90 })).toBeUndefined();
});

test('a retention does not keep files for longer than their forecast', () => {
  const refusal = { code: '42201', data: { errors: [expect.objectContaining({ field: 'file_days' })] } };
  expect(() => retentionChanged(known, { fileDays: 401 })).toThrow(expect.objectContaining(refusal));
  expect(() => retentionChanged(known, { forecastDays: 89 })).toThrow(expect.objectContaining({ code: '42201' }));
  expect(retentionChanged(known, { fileDays: 400 })?.fileDays).toBe(400);
});
