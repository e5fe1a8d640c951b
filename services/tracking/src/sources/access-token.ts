import { refusalIn } from './source-refusal.ts';

/** A token as the vendor grants it. */
export interface GrantedToken {
  readonly text: string;
  /** From the request on. */
  readonly lifetimeMs: number;
}

/** A token is replaced this long before its end, or after half of a short lifetime: a call may wait, and clocks differ. */
const MARGIN_MS = 5 * 60_000;
/** Deadline of a fetch. Several calls wait for it, each no longer than its own deadline. */
const FETCH_MS = 20_000;

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
   * @throws SourceRefusal when no token can be fetched; whatever the call throws
   */
  async use<T>(call: (token: string) => Promise<T>): Promise<T> {
    const token = await this.#current();
    try {
      return await call(token);
    } catch (error) {
      if (refusalIn(error)?.reason !== 'access denied') throw error;
      if (this.#kept?.text === token) this.#kept = undefined;
      return call(await this.#current());
    }
  }

  /** Fetches a new token, which proves the credentials. */
  async fresh(): Promise<void> {
    this.#kept = undefined;
    await this.#renew();
  }

  async #current(): Promise<string> {
    const kept = this.#kept;
    return kept !== undefined && Date.now() < kept.until ? kept.text : this.#renew();
  }

  #renew(): Promise<string> {
    this.#pending ??= this.#fetchAndKeep().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #fetchAndKeep(): Promise<string> {
    const start = Date.now();
    const { text, lifetimeMs } = await this.#fetch(AbortSignal.timeout(FETCH_MS));
    this.#kept = { text, until: start + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 2) };
    return text;
  }
}
