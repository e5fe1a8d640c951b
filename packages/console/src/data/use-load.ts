import { type ApiFailure, asFailure } from '@parcelway/page/api/failure';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** Something that is loaded, and loaded again. */
export interface Loaded<T> {
  /** What came last; stays while it is loaded again, so that nothing jumps. */
  readonly data: T | undefined;
  /** Why the last try gave nothing. */
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
  /** Takes what an action has responded, without asking again. */
  readonly replace: (data: T) => void;
}

interface State<T> {
  readonly key: string;
  readonly data: T | undefined;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
}

/**
 * Loads something when a view appears, and again when `key` changes: then what was there belongs to something else and goes.
 * @param load is aborted by its signal when the view is removed or loads again
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const fresh: State<T> = { key, data: undefined, failure: undefined, loading: true };
  const [state, setState] = useState(fresh);
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const stop = new AbortController();
    setState((before) => (before.key === key ? { ...before, loading: true } : { key, data: undefined, failure: undefined, loading: true }));
    latest.current(stop.signal).then(
      (data) => stop.signal.aborted || setState({ key, data, failure: undefined, loading: false }),
      (error: unknown) => stop.signal.aborted || setState((before) => ({ ...before, failure: asFailure(error), loading: false })),
    );
    return () => stop.abort();
  }, [key, turn]);

  const reload = useCallback(() => setTurn((count) => count + 1), []);
  const replace = useCallback((data: T) => setState({ key, data, failure: undefined, loading: false }), [key]);
  const { data, failure, loading } = state.key === key ? state : fresh;
  return { data, failure, loading, reload, replace };
}
