import { expect, test } from '@jest/globals';
import { type Page, skipEmptyPages, withFirstPage } from './paging.ts';

const idOf = (item: { id: number }): string => String(item.id);
const items = (...ids: number[]) => ids.map((id) => ({ id }));

test('new items come first, and nothing is listed twice', () => {
  expect(withFirstPage(items(5, 4), items(4, 3, 2), idOf)).toEqual(items(5, 4, 3, 2));
});

test('an item of the first page is shown as it is now', () => {
  const loaded = [{ id: 4, status: 'pending' }];
  expect(withFirstPage([{ id: 4, status: 'succeeded' }], loaded, idOf)).toEqual([{ id: 4, status: 'succeeded' }]);
});

function listOf(...pages: ReadonlyArray<readonly number[]>) {
  const asked: Array<string | undefined> = [];
  const fetchPage = async ({ cursor }: { readonly cursor: string | undefined }): Promise<Page<number>> => {
    asked.push(cursor);
    const at = Number(cursor ?? 0);
    return { items: pages[at] ?? [], next: at < pages.length - 1 ? String(at + 1) : null };
  };
  return { asked, fetchPage };
}

test('skips empty pages until a page has an item', async () => {
  const { asked, fetchPage } = listOf([], [], [7], [8]);
  expect(await skipEmptyPages(fetchPage, { cursor: undefined })).toEqual({ items: [7], next: '3' });
  expect(asked).toEqual([undefined, '1', '2']);
});

test('stops after five empty pages', async () => {
  const { asked, fetchPage } = listOf([], [], [], [], [], [], [9]);
  expect(await skipEmptyPages(fetchPage, { cursor: undefined })).toEqual({ items: [], next: '5' });
  expect(asked).toHaveLength(5);
});
