import { expect, test } from '@jest/globals';
import { filterInLists } from './event-filter.ts';

test('a filter is shown with lists, whichever form it was sent in', () => {
  const shown = { po_number: ['PO-1'], status: [3, 5], is_terminal: true };
  expect(filterInLists({ po_number: 'PO-1', status: [3, 5], is_terminal: true })).toEqual(shown);
  expect(filterInLists({})).toEqual({});
});
