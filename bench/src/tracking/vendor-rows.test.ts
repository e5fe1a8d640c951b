import { expect, test } from '@jest/globals';
import { trackingNumberOf } from './numbers.ts';
import { rowsAt } from './vendor-rows.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');

test('each row is later than the one before it, has another status, and lies in the past', () => {
  const rows = rowsAt(NOW, 24);
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    expect(row.stage).not.toBe(before?.stage);
    expect(Date.parse(row.at ?? '')).toBeGreaterThan(Date.parse(before?.at ?? '1970-01-01T00:00:00Z'));
    expect(Date.parse(row.at ?? '')).toBeLessThan(NOW);
  }
  expect(rowsAt(NOW, 3)).toEqual(rows.slice(0, 3));
});

test('no two of many tracking numbers are the same', () => {
  const numbers = Array.from({ length: 100_000 }, (_, index) => trackingNumberOf(index + 1));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.every((number) => /^LP\d{10}$/.test(number))).toBe(true);
});
