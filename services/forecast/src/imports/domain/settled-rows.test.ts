import { expect, test } from '@jest/globals';
import { settledRows } from './settled-rows.ts';

const rows = [{ row: 2 }, { row: 3 }, { row: 4 }];
const columns = [{ title: 'Order', field: 'po_number' }];
const error = (field: string) => ({ field, rule: 'r', message: `${field} is wrong` });

test('rows without an error name the first row that has one', () => {
  const settled = settledRows(rows, columns, { errors: new Map([[3, [error('Qty')]]]) });
  expect(settled.map(({ errors }) => errors.map(({ field, message }) => `${field}: ${message}`))).toEqual([
    ['Order: Row 3 of the same forecast has an error'],
    ['Qty: Qty is wrong'],
    ['Order: Row 3 of the same forecast has an error'],
  ]);
  expect(settled.every(({ state, forecastNo }) => state === 'failed' && forecastNo === null)).toBe(true);
});

test('what the check says of a cell that could not be read is left out', () => {
  const further = new Map([
    [2, [error('SKU')]],
    [3, [error('Qty'), error('Name')]],
  ]);
  const settled = settledRows(rows, columns, { errors: new Map([[3, [error('Qty')]]]), further });
  expect(settled.map(({ errors }) => errors.map(({ field }) => field))).toEqual([['SKU'], ['Qty', 'Name'], ['Order']]);
});
