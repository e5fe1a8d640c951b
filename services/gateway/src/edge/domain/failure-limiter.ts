import { type BucketLevel, levelAt, secondsToToken, TOKEN } from '@parcelway/kernel/token-bucket';
import { networkOf } from './client-network.ts';

/** Failures that an address may have at once, and how many it gets back a second. */
const LIMIT = { perSecond: 1, burst: 100 };
/** Addresses remembered; beyond it the one that failed longest ago is forgotten. */
const MAX_ADDRESSES = 10_000;

/**
 * Bounds how often an address may present keys that turn out wrong. It says who has failed too often, not whether a key is
 * good: a client behind the same address as a guesser is not shut out.
 */
export class FailureLimiter {
  readonly #buckets = new Map<string, BucketLevel>();

  /** Seconds until the address may try again; 0 when it may now. `now`: epoch milliseconds. */
  retryAfter(address: string, now: number): number {
    const bucket = this.#buckets.get(networkOf(address));
    return bucket === undefined ? 0 : secondsToToken(levelAt(bucket, LIMIT, now), LIMIT);
  }

  /** Notes a failure. */
  fail(address: string, now: number): void {
    const guesser = networkOf(address);
    const bucket = this.#buckets.get(guesser) ?? { level: LIMIT.burst * TOKEN, at: now };
    // Re-inserted, so that the map is in the order of the last failure.
    this.#buckets.delete(guesser);
    this.#buckets.set(guesser, { level: Math.max(0, levelAt(bucket, LIMIT, now) - TOKEN), at: now });
    if (this.#buckets.size > MAX_ADDRESSES) this.#buckets.delete(this.#buckets.keys().next().value as string);
  }

  /** Addresses remembered now. */
  get size(): number {
    return this.#buckets.size;
  }
}
