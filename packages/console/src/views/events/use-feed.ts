import type { EventFeed } from '@parcelway/contracts/event-feed-api';
import { type ApiFailure, asFailure } from '@parcelway/page/api/failure';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { withNewer } from './feed-events.ts';

/** What has been read of the feed. */
export interface Feed {
  /** Newest first; undefined until the first page is there. */
  readonly events: EventFeed['events'] | undefined;
  /** True when there are newer events than those that were read. */
  readonly hasMore: boolean;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  /** Reads on from where reading ended; at the end of the feed that finds what has come since. */
  readonly more: () => void;
}

interface State extends Omit<Feed, 'more'> {
  readonly cursor: string | undefined;
}

const NOTHING: State = { events: undefined, cursor: undefined, hasMore: false, failure: undefined, loading: true };

/** Pages that are read in one go. The feed begins with the oldest event, and the newest one is wanted first. */
const PAGES_AT_ONCE = 20;

/**
 * Reads the feed page by page to its end, or until that is many pages.
 * @param key names what is read; another one starts again
 * @param read asks for the page after a cursor; undefined for the first
 */
export function useFeed(key: string, read: (after: string | undefined, signal: AbortSignal) => Promise<EventFeed>): Feed {
  const [state, setState] = useState(NOTHING);
  const stop = useRef<AbortController | undefined>(undefined);
  const latest = useRef(read);
  latest.current = read;

  const load = useCallback(async (from: string | undefined, before: EventFeed['events']) => {
    stop.current?.abort();
    const asked = new AbortController();
    stop.current = asked;
    const { signal } = asked;
    setState((state) => ({ ...(from === undefined ? NOTHING : state), loading: true, failure: undefined }));
    let cursor = from;
    let events = before;
    try {
      for (let pages = 1; pages <= PAGES_AT_ONCE; pages += 1) {
        const page = await latest.current(cursor, signal);
        if (signal.aborted) return;
        cursor = page.next_cursor;
        events = withNewer(page.events, events);
        const loading = page.has_more && pages < PAGES_AT_ONCE;
        setState({ events, cursor, hasMore: page.has_more, failure: undefined, loading });
        if (!loading) return;
      }
    } catch (error) {
      if (!signal.aborted) setState((state) => ({ ...state, failure: asFailure(error), loading: false }));
    }
  }, []);
  useEffect(() => {
    void load(undefined, []);
    return () => stop.current?.abort();
  }, [key]);

  const { cursor, ...shown } = state;
  return { ...shown, more: () => void load(cursor, state.events ?? []) };
}
