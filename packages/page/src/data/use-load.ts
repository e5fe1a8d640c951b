import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Call, Client } from '../api/client.ts';
import { type ApiFailure, asFailure } from '../api/failure.ts';

interface State<T> {
  readonly key: string;
  /** The latest data. Stays during a reload, so that nothing jumps. */
  readonly data: T | undefined;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
}

export interface Loaded<T> extends Omit<State<T>, 'key'> {
  readonly reload: () => void;
  /** Shows the response of an action without loading again. */
  readonly replace: (data: T) => void;
}

/** Loads data. @param key a new value drops the data and loads again @param turn a new value loads again and keeps the data until then */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>, turn = 0): Loaded<T> {
  const fresh: State<T> = { key, data: undefined, failure: undefined, loading: true };
  const [state, setState] = useState(fresh);
  const [reloads, setReloads] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => (before.key === key ? { ...before, loading: true } : fresh));
    latest.current(stop.signal).then(
      (data) => stop.signal.aborted || setState({ key, data, failure: undefined, loading: false }),
      (error: unknown) => stop.signal.aborted || setState((before) => ({ ...before, failure: asFailure(error), loading: false })),
    );
    return () => stop.abort();
  }, [key, turn, reloads]);
  const reload = useCallback(() => setReloads((count) => count + 1), []);
  const replace = useCallback((data: T) => setState({ key, data, failure: undefined, loading: false }), [key]);
  const { data, failure, loading } = state.key === key ? state : fresh;
  return { data, failure, loading, reload, replace };
}

/** Creates a hook that passes the client of the signed-in user to the `load` of {@link useLoad}. */
export const createUseRead =
  <Own extends Client>(useClient: () => Own) =>
  <T>(key: string, load: (client: Own, signal: AbortSignal) => Promise<T>, turn = 0): Loaded<T> => {
    const client = useClient();
    return useLoad(key, (signal) => load(client, signal), turn);
  };

/** Creates a hook that reads what a path has. @returns a hook whose `turn` is that of {@link useLoad} */
export const createUseGet =
  (useClient: () => Client) =>
  <T>(path: string, query: NonNullable<Call['query']> = {}, turn = 0): Loaded<T> => {
    const client = useClient();
    return useLoad(JSON.stringify([path, query]), (signal) => client.call<T>(path, { query, signal }), turn);
  };

export interface Action {
  readonly busy: boolean;
  readonly failure: ApiFailure | undefined;
  /** Runs `work` unless it is running already. */
  readonly run: (work: () => Promise<void>) => void;
}

export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run'>>({ busy: false, failure: undefined });
  const run = useCallback(
    (work: () => Promise<void>) => {
      if (state.busy) return;
      setState({ busy: true, failure: undefined });
      work().then(
        () => setState({ busy: false, failure: undefined }),
        (error: unknown) => setState({ busy: false, failure: asFailure(error) }),
      );
    },
    [state.busy],
  );
  return { ...state, run };
}
