import { expect, test } from '@jest/globals';
import { fromStoredSummary, summaryNames, toStoredSummary } from './stored-summary.ts';

test('a summary is stored under the names of the API, and read back', () => {
  const summary = { warehouseCode: 'WH1', dueDate: '2026-12-24', itemCount: 3 };
  const stored = toStoredSummary(summary);
  expect(stored).toEqual({ warehouse_code: 'WH1', due_date: '2026-12-24', item_count: 3 });
  expect(Object.keys(stored)).toEqual(summaryNames);
  expect(fromStoredSummary(stored)).toEqual(summary);
});

test('no more of what has a summary is stored with it', () => {
  expect(toStoredSummary({ warehouseCode: 'WH1', dueDate: null, itemCount: 1, other: 1 } as never)).not.toHaveProperty('other');
});
