import type { EventFeed } from '@parcelway/contracts/event-feed-api';
import { type ApiFailure, asFailure } from '@parcelway/page/api/failure';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** What has been read of the feed. */
export interface Feed {
  /** Oldest first; undefined until the first page is there. */
  readonly events: EventFeed['events'] | undefined;
  /** True when the next page has events already. */
  readonly hasMore: boolean;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  /** Reads on from where the last page ended; at the end of the feed that finds what has come since. */
  readonly more: () => void;
}

interface State extends Omit<Feed, 'more'> {
  readonly cursor: string | undefined;
}

const NOTHING: State = { events: undefined, cursor: undefined, hasMore: false, failure: undefined, loading: true };

/**
 * Reads the feed page by page.
 * @param key names what is read; another one starts again
 * @param read asks for the page after a cursor; undefined for the first
 */
export function useFeed(key: string, read: (after: string | undefined, signal: AbortSignal) => Promise<EventFeed>): Feed {
  const [state, setState] = useState(NOTHING);
  const stop = useRef<AbortController | undefined>(undefined);
  const latest = useRef(read);
  latest.current = read;

  const load = useCallback((cursor: string | undefined, before: EventFeed['events']) => {
    stop.current?.abort();
    const asked = new AbortController();
    stop.current = asked;
    const { signal } = asked;
    setState((state) => ({ ...(cursor === undefined ? NOTHING : state), loading: true, failure: undefined }));
    latest.current(cursor, signal).then(
      ({ events, next_cursor, has_more }) => {
        // The feed says that an event may come twice.
        const known = new Set(before.map((event) => event.data.event_id));
        const all = [...before, ...events.filter((event) => !known.has(event.data.event_id))];
        if (!signal.aborted) setState({ events: all, cursor: next_cursor, hasMore: has_more, failure: undefined, loading: false });
      },
      (error: unknown) => signal.aborted || setState((state) => ({ ...state, failure: asFailure(error), loading: false })),
    );
  }, []);
  useEffect(() => {
    load(undefined, []);
    return () => stop.current?.abort();
  }, [key]);

  const { cursor, ...shown } = state;
  return { ...shown, more: () => load(cursor, state.events ?? []) };
}
