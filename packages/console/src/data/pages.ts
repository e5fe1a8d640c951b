import type { Page } from '../api/paging.ts';

/** Adds the new items of the first page to a list that is sorted newest first. */
export function withFirstPage<T>(first: readonly T[], loaded: readonly T[], idOf: (item: T) => string): readonly T[] {
  if (loaded.length === 0) return first;
  const known = new Set(first.map(idOf));
  return [...first, ...loaded.filter((item) => !known.has(idOf(item)))];
}

/** Most pages that one search reads. */
const MOST_PAGES = 5;

/** Reads on until a page has an item. A page of a filtered log covers a bounded part of the log, so it may be empty. */
export async function skipEmptyPages<T, Place extends { readonly cursor: string | undefined }>(
  fetchPage: (at: Place) => Promise<Page<T>>,
  at: Place,
): Promise<Page<T>> {
  let page = await fetchPage(at);
  for (let asked = 1; asked < MOST_PAGES && page.items.length === 0 && page.next !== null; asked += 1)
    page = await fetchPage({ ...at, cursor: page.next });
  return page;
}
