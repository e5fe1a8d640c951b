import { expect, test } from '@jest/globals';
import { withFirstPage } from './pages.ts';

const idOf = (item: { id: number }): string => String(item.id);
const items = (...ids: number[]) => ids.map((id) => ({ id }));

test('a first page alone is the list', () => {
  expect(withFirstPage(items(3, 2), [], idOf)).toEqual(items(3, 2));
});

test('new items come first, and nothing is listed twice', () => {
  expect(withFirstPage(items(5, 4), items(4, 3, 2), idOf)).toEqual(items(5, 4, 3, 2));
});

test('an item of the first page is shown as it is now', () => {
  const loaded = [{ id: 4, status: 'pending' }];
  expect(withFirstPage([{ id: 4, status: 'succeeded' }], loaded, idOf)).toEqual([{ id: 4, status: 'succeeded' }]);
});
