import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import Type from 'typebox';
import { item, submission, valid, violated } from './testing/submission.ts';
import { instant } from './text.ts';
import { compileValidator } from './validator.ts';

describe('limits', () => {
  test('counts characters, not UTF-16 units', () => {
    expect(violated({ ...valid, po_number: '😀'.repeat(64) })).toEqual([]);
    expect(violated({ ...valid, po_number: '😀'.repeat(65) })).toEqual(['po_number max_length']);
  });

  test.each([
    [1, []],
    [2000, []],
    [0, ['items min_items']],
    [2001, ['items max_items']],
  ])('%p items', (count, expected) => {
    expect(violated({ ...valid, items: Array.from({ length: count }, () => item) })).toEqual(expected);
  });

  test('collects at most a thousand errors and lists a hundred of them', () => {
    const items = Array.from({ length: 2000 }, () => ({}));
    expect(submission.errors({ ...valid, items })).toHaveLength(1000);
    expect(() => submission.parse({ ...valid, items })).toThrow(AppError);
  });
});

describe('bounds', () => {
  test('elements behind the bound of an array are not looked at', () => {
    const items: unknown[] = Array.from({ length: 3000 }, () => item);
    items[2000] = {};
    items[2500] = {};
    const missing = ['forecast_quantity', 'product_name_en', 'sku_code'].map((name) => `items[2000].${name} required`);
    expect(violated({ ...valid, items })).toEqual(['items max_items', ...missing]);
    expect(items).toHaveLength(3000);
  });

  test('an instant has a bounded length', () => {
    const when = compileValidator(Type.Object({ at: instant('When') }));
    expect(when.is({ at: '2026-01-31T08:00:00.123456789+08:00' })).toBe(true);
    expect(when.is({ at: `2026-01-31T08:00:00.${'0'.repeat(100)}+08:00` })).toBe(false);
  });
});
