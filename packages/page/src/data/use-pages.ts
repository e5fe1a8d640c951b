import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Call, Client } from '../api/client.ts';
import { type ApiFailure, asFailure } from '../api/failure.ts';
import { type Page, type PageRequest, pageOf, skipEmptyPages, withFirstPage } from './paging.ts';
import { useLoad } from './use-load.ts';

export interface Pages<T> {
  /** Undefined until the first page is there. */
  readonly items: readonly T[] | undefined;
  /** What sets an item apart from the others. */
  readonly idOf: (item: T) => string;
  /** Why the first page could not be loaded. */
  readonly failure: ApiFailure | undefined;
  /** Why no further page could be loaded. */
  readonly moreFailure: ApiFailure | undefined;
  readonly loading: boolean;
  /** Undefined on the last page. */
  readonly more: (() => void) | undefined;
  /** Asks for the first page again; what was loaded of the others stays. */
  readonly refresh: () => void;
}

interface Further<T> {
  readonly key: string;
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Loads the first page of a list, then more on demand. @param key a new value starts over @param id a field that differs from row to row, or several as one text @param turn a new value reloads the first page */
export function usePages<T>(
  key: string,
  fetchPage: (at: PageRequest) => Promise<Page<T>>,
  id: keyof T | ((item: T) => string),
  turn = 0,
): Pages<T> {
  const idOf = typeof id === 'function' ? id : (item: T) => String(item[id]);
  const first = useLoad(key, (signal) => fetchPage({ cursor: undefined, signal }), turn);
  const [further, setFurther] = useState<Further<T>>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), [key]);

  const mine = further?.key === key ? further : undefined;
  const next = mine === undefined ? first.data?.next : mine.next;
  const items = first.data && withFirstPage(first.data.items, mine?.items ?? [], idOf);

  const more = useCallback(async () => {
    if (busy) return;
    const asked = new AbortController();
    stop.current = asked;
    const { signal } = asked;
    setBusy(true);
    setFailure(undefined);
    try {
      const page = await fetchPage({ cursor: next ?? undefined, signal });
      if (!signal.aborted) setFurther({ key, items: [...(items ?? []), ...page.items], next: page.next });
    } catch (error) {
      if (!signal.aborted) setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  }, [key, next, items, fetchPage, busy]);

  return {
    items,
    idOf,
    failure: first.failure,
    moreFailure: failure,
    loading: first.loading || busy,
    more: next === null || next === undefined ? undefined : () => void more(),
    refresh: first.reload,
  };
}

export interface ListOptions {
  readonly turn?: number;
  /** True for a filtered log, whose pages may be empty. */
  readonly skipsEmpty?: boolean;
}

/** Creates a hook that reads the list of a path. @returns a hook whose `name` is the key of the items in the response */
export const createUseList =
  (useClient: () => Client) =>
  <T>(path: string, name: string, query: NonNullable<Call['query']>, id: keyof T | ((item: T) => string), options: ListOptions = {}) => {
    const client = useClient();
    const fetchPage = (at: PageRequest): Promise<Page<T>> => pageOf(client, path, name, { ...query, ...at });
    const { skipsEmpty = false, turn } = options;
    return usePages(JSON.stringify([path, query]), skipsEmpty ? (first) => skipEmptyPages(fetchPage, first) : fetchPage, id, turn);
  };
