import type { Call, Client } from '../api/client.ts';

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

/** A page of a list, with the cursor of the next page; null on the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Which page to read: the first one without a cursor. */
export interface PageRequest {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

/** Reads a page of a list. @param name key of the items in the response */
export async function pageOf<T>(
  client: Client,
  path: string,
  name: string,
  { signal, ...query }: PageRequest & Readonly<Record<string, unknown>>,
): Promise<Page<T>> {
  const found = await client.call<Readonly<Record<string, unknown>>>(path, { query: query as Call['query'], signal });
  return { items: found[name] as readonly T[], next: found['next_cursor'] as string | null };
}

/** Reads a list that has no pages, or the first page of one. @param name key of the items in the response */
export const listOf = async <T>(client: Client, path: string, name: string, call: Call): Promise<readonly T[]> =>
  (await client.call<Readonly<Record<string, readonly T[]>>>(path, call))[name] ?? [];
