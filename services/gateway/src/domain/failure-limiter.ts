/** Failures that an address may have at once, and how many it gets back a second. */
const BURST = 100;
const PER_SECOND = 1;
/** Addresses remembered; beyond it the one that failed longest ago is forgotten. */
const MAX_ADDRESSES = 10_000;

/** Groups of an IPv6 address that name the network; the other half is the holder's to choose. */
const NETWORK_GROUPS = 4;

/** Who counts as one guesser: an IPv4 address, or the IPv6 network of 64 bits that a single customer gets. */
function guesserOf(address: string): string {
  // What is no IPv6 address, or carries an IPv4 one (::ffff:192.0.2.1), stands for itself.
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...tail.split(':')].slice(0, NETWORK_GROUPS).join(':');
}

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
    const bucket = this.#buckets.get(guesserOf(address));
    if (bucket === undefined) return 0;
    const tokens = bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * PER_SECOND;
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / PER_SECOND);
  }

  /** Notes a failure. */
  fail(address: string, now: number): void {
    const guesser = guesserOf(address);
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
