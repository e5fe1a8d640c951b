import { expect, test } from '@jest/globals';
import { charactersOf, inBatches } from './cell-characters.ts';

test('cells have the characters that a CSV file would have', () => {
  expect(charactersOf(['abc', 12.5, null, true, { error: '#N/A' }])).toBe('abc,12.5,,true,#N/A\n'.length);
  expect(charactersOf([])).toBe(0);
});

test('batches end by their characters, and have all rows', () => {
  const rows = Array.from({ length: 5 }, (_, row) => ({ row, cells: ['x'.repeat(500_000)] }));
  expect([...inBatches(rows)].map((batch) => batch.map(({ row }) => row))).toEqual([[0, 1], [2, 3], [4]]);
  expect([...inBatches([])]).toEqual([]);
});
