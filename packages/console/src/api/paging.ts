import type { Call, Client } from '@parcelway/page/api/client';

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
