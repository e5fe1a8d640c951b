import { type ApiFailure, asFailure } from '@parcelway/page/api/failure';
import { useCallback, useState } from 'preact/hooks';

/** Something that a button does. */
export interface Action {
  readonly busy: boolean;
  readonly failure: ApiFailure | undefined;
  /** Does it, unless it is being done already. */
  readonly run: (work: () => Promise<void>) => void;
  readonly forget: () => void;
}

/** Does one thing at a time, and keeps why the last one failed. */
export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; failure: ApiFailure | undefined }>({ busy: false, failure: undefined });
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
  const forget = useCallback(() => setState({ busy: false, failure: undefined }), []);
  return { ...state, run, forget };
}
