import { networkOf } from './client-network.ts';

/** Failures that an address may have at once, and how many it gets back a second. */
const BURST = 100;
const PER_SECOND = 1;
/** Addresses remembered; beyond it the one that failed longest ago is forgotten. */
const MAX_ADDRESSES = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Bounds how often an address may present keys that turn out wrong. It says who has failed too often, not whether a key is
 * good: a client behind the same address as a guesser is not shut out.
 */
export class FailureLimiter {
  readonly #buckets = new Map<string, Bucket>();

  /** Seconds until the address may try again; 0 when it may now. `now`: epoch milliseconds. */
  retryAfter(address: string, now: number): number {
    const bucket = this.#buckets.get(networkOf(address));
    if (bucket === undefined) return 0;
    const tokens = bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * PER_SECOND;
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / PER_SECOND);
  }

  /** Notes a failure. */
  fail(address: string, now: number): void {
    const guesser = networkOf(address);
    const bucket = this.#buckets.get(guesser) ?? { tokens: BURST, at: now };
    const refilled = Math.min(BURST, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * PER_SECOND);
    bucket.tokens = Math.max(0, refilled - 1);
    bucket.at = now;
    // Re-inserted, so that the map is in the order of the last failure.
    this.#buckets.delete(guesser);
    this.#buckets.set(guesser, bucket);
    if (this.#buckets.size > MAX_ADDRESSES) this.#buckets.delete(this.#buckets.keys().next().value as string);
  }

  /** Addresses remembered now. */
  get size(): number {
    return this.#buckets.size;
  }
}
