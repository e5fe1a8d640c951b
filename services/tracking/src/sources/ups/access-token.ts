import { SourceRefusal } from '../source-refusal.ts';

/** A token of OAuth. */
export interface AccessToken {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

/** Tokens of one connection. */
export interface AccessTokens {
  /** The token in use; a new one when there is none or it ends soon. @throws SourceRefusal when it cannot be fetched within the signal */
  current(signal: AbortSignal): Promise<AccessToken>;
  /** A token other than this one: for a token that the vendor does not take, though it has not ended. */
  instead(of: AccessToken, signal: AbortSignal): Promise<AccessToken>;
  /** A token that is fetched now, so that the credentials are proved. */
  fresh(signal: AbortSignal): Promise<AccessToken>;
}

/** A token counts as ended this long before its end: a call may wait, and clocks differ. */
const MARGIN_MS = 60_000;
/** Deadline of a fetch. Several callers wait for it, so it has none of their signals. */
const FETCH_MS = 10_000;

/** Waits for what others wait for, too, no longer than the signal. */
function within<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new SourceRefusal('unavailable', 'The token is not there in time', { cause: signal.reason }));
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/**
 * Keeps a token until shortly before its end. Calls that need one at the same time share its fetch; a fetch that failed is not kept.
 * @param fetch gets a token from the vendor
 */
export function createAccessTokens(fetch: (signal: AbortSignal) => Promise<AccessToken>): AccessTokens {
  let kept: AccessToken | undefined;
  let pending: Promise<AccessToken> | undefined;
  const renew = (): Promise<AccessToken> => {
    pending ??= fetch(AbortSignal.timeout(FETCH_MS))
      .then((token) => {
        kept = token;
        return token;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  const current = (): Promise<AccessToken> =>
    kept !== undefined && kept.endsAt - MARGIN_MS > Date.now() ? Promise.resolve(kept) : renew();
  return {
    current: (signal) => within(current(), signal),
    instead(of, signal) {
      if (kept === of) kept = undefined;
      return within(current(), signal);
    },
    fresh(signal) {
      kept = undefined;
      return within(renew(), signal);
    },
  };
}
