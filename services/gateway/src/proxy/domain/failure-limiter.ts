import { secondsToToken, TOKEN } from '@parcelway/kernel/token-bucket';
import { networkOf } from './client-network.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Failures that an address may have at once, and how many it gets back a second. */
const LIMIT = { perSecond: 1, burst: 100 };
/** Addresses remembered; beyond it the one that failed longest ago is forgotten. */
const MAX_ADDRESSES = 10_000;

/**
 * Bounds how often an address may present keys that turn out wrong. It says who has failed too often, not whether a key is
 * good: a client behind the same address as a guesser is not shut out.
 */
export class FailureLimiter {
  readonly #buckets = new TokenBuckets(MAX_ADDRESSES);

  /** Seconds until the address may try again; 0 when it may now. `now`: epoch milliseconds. */
  retryAfter(address: string, now: number): number {
    return secondsToToken(this.#buckets.levelOf(networkOf(address), LIMIT, now), LIMIT);
  }

  /** Notes a failure. */
  fail(address: string, now: number): void {
    const guesser = networkOf(address);
    this.#buckets.set(guesser, Math.max(0, this.#buckets.levelOf(guesser, LIMIT, now) - TOKEN), now);
  }

  /** Addresses remembered now. */
  get size(): number {
    return this.#buckets.size;
  }
}
