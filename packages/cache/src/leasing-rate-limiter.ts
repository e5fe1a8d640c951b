import { IDLE_MS } from './lease-rules.ts';
import { LeasedBucket } from './leased-bucket.ts';
import type { SyncRateLimiter } from './memory-rate-limiter.ts';
import type { RateDecision, RateLimit, RateLimiter } from './rate-limiter.ts';
import type { TokenGrant, TokenRequest, TokenStore } from './token-store.ts';

/** Leases are looked at so often while there are any, to return those of idle buckets; milliseconds. */
const SWEEP_MS = IDLE_MS / 2;

/** A new bucket in a full table looks at this many others for one that waits for no response. */
const MAX_LOOKED_AT = 32;

/** What a {@link RateLimiter} with leases works with. */
export interface LeasingOptions {
  readonly store: TokenStore;
  /** Decides while the store is away. */
  readonly local: SyncRateLimiter;
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number;
  /** Runs something once, later. */
  readonly after: (ms: number, run: () => void) => void;
  /** Bound of the table, at least 1; the buckets that asked longest ago make room. */
  readonly maxBuckets: number;
}

interface Entry {
  readonly name: string;
  readonly bucket: LeasedBucket;
  /** Requests that wait for the store, in their order. */
  readonly waiting: ((decision: RateDecision) => void)[];
  /** An exchange is under way. There is one at a time. */
  isAsking: boolean;
}

class LeasingRateLimiter implements RateLimiter {
  readonly #options: LeasingOptions;
  /** In the order of their last exchange. */
  readonly #entries = new Map<string, Entry>();
  /** Those that hold tokens, and maybe some that have used theirs up. */
  readonly #leased = new Set<Entry>();
  #isSweeping = false;

  constructor(options: LeasingOptions) {
    this.#options = options;
  }

  take(name: string, limit: RateLimit): RateDecision | Promise<RateDecision> {
    const now = this.#options.now();
    const entry = this.#entries.get(name) ?? this.#add(name, limit, now);
    const { bucket, waiting } = entry;
    bucket.count(limit);
    const decision = bucket.take(now);
    if (decision !== undefined) {
      if (decision.allowed && !entry.isAsking && bucket.needsRenewal(now)) this.#ask(entry, 0, now);
      return decision;
    }
    if (!entry.isAsking && !this.#ask(entry, 1, now)) return this.#options.local.take(name, limit);
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** Returns what is leased. */
  async close(): Promise<void> {
    const returned = [...this.#leased].filter(({ bucket }) => bucket.holdsTokens).map((entry) => this.#release(entry));
    this.#leased.clear();
    await Promise.all(returned);
    await this.#options.local.close();
  }

  #add(name: string, limit: RateLimit, now: number): Entry {
    if (this.#entries.size >= this.#options.maxBuckets) this.#makeRoom();
    const entry: Entry = { name, bucket: new LeasedBucket(limit, now), waiting: [], isAsking: false };
    this.#entries.set(name, entry);
    return entry;
  }

  /** Drops the bucket that asked longest ago. One that waits for a response stays: the requests under way bound their number. */
  #makeRoom(): void {
    let looked = 0;
    for (const entry of this.#entries.values()) {
      looked += 1;
      if (!entry.isAsking) {
        this.#entries.delete(entry.name);
        if (entry.bucket.holdsTokens) void this.#release(entry);
        this.#leased.delete(entry);
        return;
      }
      if (looked >= MAX_LOOKED_AT) return;
    }
  }

  /**
   * Begins an exchange with the store.
   * @param needed requests that wait: the first of the queue
   * @returns false when the store is away
   */
  #ask(entry: Entry, needed: number, now: number): boolean {
    const { name, bucket } = entry;
    const request = bucket.request(needed, now);
    const reply = this.#options.store.exchange(name, bucket.limit, request);
    if (reply === undefined) return false;
    entry.isAsking = true;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    reply.then(
      (grant) => this.#received(entry, request, grant, now),
      () => this.#failed(entry), // the store logs the failure
    );
    return true;
  }

  #received(entry: Entry, request: TokenRequest, grant: TokenGrant, sentAt: number): void {
    const { bucket, waiting } = entry;
    entry.isAsking = false;
    const now = this.#options.now();
    const decisions = bucket.receive(request, grant, sentAt, now);
    for (const [index, resolve] of waiting.splice(0, request.needed).entries()) resolve(decisions[index] as RateDecision);
    // Those that came meanwhile.
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const decision = bucket.take(now);
      if (decision === undefined) break;
      waiting.shift();
      next(decision);
    }
    if (waiting.length > 0 && !this.#ask(entry, waiting.length, now)) this.#decideLocally(entry);
    if (bucket.holdsTokens) this.#watch(entry);
  }

  #failed(entry: Entry): void {
    entry.isAsking = false;
    entry.bucket.forget();
    this.#decideLocally(entry);
  }

  #decideLocally({ name, bucket, waiting }: Entry): void {
    for (const resolve of waiting.splice(0)) resolve(this.#options.local.take(name, bucket.limit));
  }

  /** Returns the tokens that a bucket holds. A failure loses them. */
  async #release({ name, bucket }: Entry): Promise<void> {
    await this.#options.store.exchange(name, bucket.limit, bucket.release())?.catch(() => undefined);
  }

  #watch(entry: Entry): void {
    this.#leased.add(entry);
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.#options.after(SWEEP_MS, () => this.#sweep());
  }

  /** Returns the leases of idle buckets. Goes on while there are leases. */
  #sweep(): void {
    const now = this.#options.now();
    for (const entry of this.#leased) {
      if (!entry.isAsking && entry.bucket.isIdle(now)) void this.#release(entry);
      if (!entry.bucket.holdsTokens) this.#leased.delete(entry);
    }
    this.#isSweeping = this.#leased.size > 0;
    if (this.#isSweeping) this.#options.after(SWEEP_MS, () => this.#sweep());
  }
}

/**
 * Token buckets of a shared store, of which this process leases some tokens in advance: most requests are decided at once.
 * While the store is away, `local` decides.
 */
export function createLeasingRateLimiter(options: LeasingOptions): RateLimiter {
  if (!(options.maxBuckets >= 1)) throw new RangeError('maxBuckets must be at least 1');
  return new LeasingRateLimiter(options);
}
