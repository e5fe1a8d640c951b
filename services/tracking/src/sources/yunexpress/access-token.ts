import { SourceRefusal } from '../source-refusal.ts';

/** An access token as the vendor grants it. */
export interface GrantedToken {
  readonly token: string;
  /** Milliseconds from the request on; undefined when the vendor does not say. */
  readonly lifetimeMs: number | undefined;
}

/** The access token of one connection. It is fetched when it is needed, once for all calls that wait for it, and kept until shortly before its end. */
export interface AccessTokens {
  /** @throws SourceRefusal when the vendor grants none, or not within the signal */
  get(signal: AbortSignal): Promise<string>;
  /** The next call fetches another token. @param refused only if the kept token is this one */
  discard(refused?: string): void;
}

/** The token call belongs to all calls that wait for it, so it has a deadline of its own. */
const FETCH_TIMEOUT_MS = 20_000;
/** Lifetime of a token that does not say it; clients know of 1 to 2 hours. */
const DEFAULT_LIFETIME_MS = 30 * 60_000;
const MAX_LIFETIME_MS = 86_400_000;
/** A token is replaced this long before its end, or after half of a short lifetime. */
const MARGIN_MS = 5 * 60_000;

/** The promise, unless the signal comes first. The promise goes on for the others. */
function within<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new SourceRefusal('unavailable', 'There is no access token in time', { cause: signal.reason }));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Keeps the token of a connection. @param fetchToken the vendor's call */
export function createAccessTokens(fetchToken: (signal: AbortSignal) => Promise<GrantedToken>): AccessTokens {
  let kept: { readonly token: string; readonly until: number } | undefined;
  let pending: Promise<string> | undefined;
  const fetchAndKeep = async (): Promise<string> => {
    const start = Date.now();
    const { token, lifetimeMs } = await fetchToken(AbortSignal.timeout(FETCH_TIMEOUT_MS));
    const lifetime = Math.min(Math.max(lifetimeMs ?? DEFAULT_LIFETIME_MS, 0), MAX_LIFETIME_MS);
    kept = { token, until: start + lifetime - Math.min(MARGIN_MS, lifetime / 2) };
    return token;
  };
  return {
    async get(signal) {
      if (kept !== undefined && Date.now() < kept.until) return kept.token;
      pending ??= fetchAndKeep().finally(() => {
        pending = undefined;
      });
      return within(pending, signal);
    },
    discard(refused) {
      if (refused === undefined || kept?.token === refused) kept = undefined;
    },
  };
}
