import { expect, test } from '@jest/globals';
import type { Page } from '../api/webhooks.ts';
import { pastEmpty } from './past-empty.ts';

/** A list of which each page has its number as the cursor. */
function listOf(...pages: ReadonlyArray<readonly number[]>) {
  const asked: Array<string | undefined> = [];
  const fetchPage = async (cursor: string | undefined): Promise<Page<number>> => {
    asked.push(cursor);
    const at = Number(cursor ?? 0);
    return { items: pages[at] ?? [], next: at < pages.length - 1 ? String(at + 1) : null };
  };
  return { asked, fetchPage };
}

test('empty pages are passed over until there is an item', async () => {
  const { asked, fetchPage } = listOf([], [], [7], [8]);
  expect(await pastEmpty(fetchPage, undefined)).toEqual({ items: [7], next: '3' });
  expect(asked).toEqual([undefined, '1', '2']);
});

test('the search begins at the cursor and ends at an item', async () => {
  const { asked, fetchPage } = listOf([], [5], [6]);
  expect(await pastEmpty(fetchPage, '1')).toEqual({ items: [5], next: '2' });
  expect(asked).toEqual(['1']);
});

test('the end of the list ends the search', async () => {
  expect(await pastEmpty(listOf([], []).fetchPage, undefined)).toEqual({ items: [], next: null });
});

test('after five empty pages the rest is left to another look', async () => {
  const { asked, fetchPage } = listOf([], [], [], [], [], [], [9]);
  expect(await pastEmpty(fetchPage, undefined)).toEqual({ items: [], next: '5' });
  expect(asked).toHaveLength(5);
});
