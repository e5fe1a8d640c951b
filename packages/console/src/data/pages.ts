import type { Page } from '../api/webhooks.ts';

/** The list is ordered newest first, so new items come first. */
export function withFirstPage<T>(first: readonly T[], loaded: readonly T[], idOf: (item: T) => string): readonly T[] {
  if (loaded.length === 0) return first;
  const known = new Set(first.map(idOf));
  return [...first, ...loaded.filter((item) => !known.has(idOf(item)))];
}

/** Pages that one look may pass over. */
const MOST_PAGES = 5;

/** The first page that has an item. A page of a filtered log may have none although others follow: it looks at a bounded part of the log. */
export async function pastEmpty<T, Place extends { readonly cursor: string | undefined }>(
  fetchPage: (at: Place) => Promise<Page<T>>,
  at: Place,
): Promise<Page<T>> {
  let page = await fetchPage(at);
  for (let asked = 1; asked < MOST_PAGES && page.items.length === 0 && page.next !== null; asked += 1)
    page = await fetchPage({ ...at, cursor: page.next });
  return page;
}
