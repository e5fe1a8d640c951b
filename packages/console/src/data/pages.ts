import type { Page } from '../api/webhooks.ts';

/** The list is ordered newest first, so new items come first. */
export function withFirstPage<T>(first: readonly T[], loaded: readonly T[], idOf: (item: T) => string): readonly T[] {
  if (loaded.length === 0) return first;
  const known = new Set(first.map(idOf));
  return [...first, ...loaded.filter((item) => !known.has(idOf(item)))];
}

/** Pages that one look may pass over. */
const MOST_PAGES = 5;

/**
 * The first page that has an item. A page of a filtered log may have none although others follow: it looks at a bounded part of the log.
 * @param fetchPage asks for the page at a cursor; undefined for the first
 * @param cursor where to begin
 * @returns after {@link MOST_PAGES} pages the last of them, which may be empty with a next one
 */
export async function pastEmpty<T>(
  fetchPage: (cursor: string | undefined) => Promise<Page<T>>,
  cursor: string | undefined,
): Promise<Page<T>> {
  let page = await fetchPage(cursor);
  for (let asked = 1; asked < MOST_PAGES && page.items.length === 0 && page.next !== null; asked += 1) page = await fetchPage(page.next);
  return page;
}
