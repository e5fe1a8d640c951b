import { refusalIn, SourceRefusal } from './source-refusal.ts';

/** A token as the vendor grants it. */
export interface GrantedToken {
  readonly text: string;
  /** From the request on. */
  readonly lifetimeMs: number;
}

/** A token is replaced this long before its end, or after half of a short lifetime: a call may wait, and clocks differ. */
const MARGIN_MS = 5 * 60_000;
/** Deadline of a fetch. Several callers wait for it, so it has none of their signals. */
const FETCH_MS = 20_000;

/** Waits for what others wait for, too, no longer than the signal. */
function within<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new SourceRefusal('unavailable', 'The token is not there in time', { cause: signal.reason }));
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** The token of one connection. Calls that need one at the same time share its fetch; a fetch that failed is not kept. */
export class AccessTokens {
  readonly #fetch: (signal: AbortSignal) => Promise<GrantedToken>;
  #kept: { readonly text: string; readonly until: number } | undefined;
  #pending: Promise<string> | undefined;

  /** @param fetch gets a token from the vendor */
  constructor(fetch: (signal: AbortSignal) => Promise<GrantedToken>) {
    this.#fetch = fetch;
  }

  /**
   * Makes a call with the current token, or with a new one when there is none or it expires soon. Tries once more with a new one when the vendor denies access.
   * @throws SourceRefusal when no token can be fetched within the signal; whatever the call throws
   */
  async use<T>(signal: AbortSignal, call: (token: string) => Promise<T>): Promise<T> {
    const token = await this.#current(signal);
    try {
      return await call(token);
    } catch (error) {
      if (refusalIn(error)?.reason !== 'access denied') throw error;
      if (this.#kept?.text === token) this.#kept = undefined;
      return call(await this.#current(signal));
    }
  }

  /** Fetches a new token, which proves the credentials. */
  async fresh(signal: AbortSignal): Promise<void> {
    this.#kept = undefined;
    await this.#renew(signal);
  }

  #current(signal: AbortSignal): Promise<string> {
    const kept = this.#kept;
    return kept !== undefined && Date.now() < kept.until ? within(Promise.resolve(kept.text), signal) : this.#renew(signal);
  }

  #renew(signal: AbortSignal): Promise<string> {
    this.#pending ??= this.#fetchAndKeep().finally(() => {
      this.#pending = undefined;
    });
    return within(this.#pending, signal);
  }

  async #fetchAndKeep(): Promise<string> {
    const start = Date.now();
    const { text, lifetimeMs } = await this.#fetch(AbortSignal.timeout(FETCH_MS));
    this.#kept = { text, until: start + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 2) };
    return text;
  }
}
