import type { Download } from '@parcelway/page/api/client';
import { type ApiFailure, asFailure } from '@parcelway/page/api/failure';
import { useAction, useLoad } from '@parcelway/page/data/use-load';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Page, type PageRequest, withFirstPage } from '../api/paging.ts';

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

/** Milliseconds between two looks at something that is about to change. */
const POLL_MS = 3000;

/** Calls `look` while `active`, and only while the page is being looked at. @param every milliseconds */
export function usePoll(look: () => void, active: boolean, every = POLL_MS): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, every);
    return () => clearInterval(timer);
  }, [active, every]);
}

/** The time now, epoch milliseconds, every second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Milliseconds for which a saved file can still be read: the browser reads it after the click. */
const READABLE_MS = 60_000;

function save({ content, name }: Download, fallbackName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name === '' ? fallbackName : name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READABLE_MS);
}

/** @returns also `download`, with what asks for a file, and the name of one without */
export function useDownload() {
  const { busy, failure, run } = useAction();
  return {
    busy,
    failure,
    download: (load: () => Promise<Download>, fallbackName: string) => run(async () => save(await load(), fallbackName)),
  };
}

/** Copies a file into memory, so that later changes on the disk do not matter. @throws when the browser can no longer read it */
export const copyOfFile = async (file: File): Promise<File> => new File([await file.arrayBuffer()], file.name, { type: file.type });

/** State of a form. @returns the values, and a function that changes some of them */
export function useValues<Values extends object>(first: Values | (() => Values)): readonly [Values, (part: Partial<Values>) => void] {
  const [values, setValues] = useState(first);
  return [values, (part) => setValues((before) => ({ ...before, ...part }))];
}
