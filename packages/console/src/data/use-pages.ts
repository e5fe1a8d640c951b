import { type ApiFailure, asFailure } from '@parcelway/page/api/failure';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../api/webhooks.ts';
import { withFirstPage } from './pages.ts';
import { useLoad } from './use-load.ts';

/** A list that is loaded page by page. */
export interface Pages<T> {
  /** Undefined until the first page is there. */
  readonly items: readonly T[] | undefined;
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

/**
 * Loads the first page of a list, and further ones on demand.
 * @param key names the list with its filters; another one starts again
 * @param fetchPage asks for the page at a cursor; undefined for the first
 * @param idOf returns the id of an item
 */
export function usePages<T>(
  key: string,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  idOf: (item: T) => string,
): Pages<T> {
  const first = useLoad(key, (signal) => fetchPage(undefined, signal));
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
      const page = await fetchPage(next ?? undefined, signal);
      if (!signal.aborted) setFurther({ key, items: [...(items ?? []), ...page.items], next: page.next });
    } catch (error) {
      if (!signal.aborted) setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  }, [key, next, items, fetchPage, busy]);

  return {
    items,
    failure: first.failure,
    moreFailure: failure,
    loading: first.loading || busy,
    more: next === null || next === undefined ? undefined : () => void more(),
    refresh: first.reload,
  };
}
