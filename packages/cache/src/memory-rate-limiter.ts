import type { Clock } from '@parcelway/kernel/clock';
import { levelAfterTake, levelAt, TOKEN } from '@parcelway/kernel/token-bucket';
import { decisionOf } from './rate-decision.ts';
import type { RateDecision, RateLimit, RateLimiter } from './rate-limiter.ts';

/** Buckets kept by default; about 100 bytes each. */
const DEFAULT_MAX_BUCKETS = 100_000;

/** A new bucket in a full table looks at this many others for one that has no more to remember. */
const MAX_LOOKED_AT = 32;

interface Bucket {
  /** Thousandths of a token at `at`. */
  level: number;
  /** Epoch milliseconds of `level`. */
  at: number;
  limit: RateLimit;
}

/** A {@link RateLimiter} that responds at once. */
export interface SyncRateLimiter extends RateLimiter {
  take(bucket: string, limit: RateLimit): RateDecision;
}

class MemoryRateLimiter implements SyncRateLimiter {
  readonly #clock: Clock;
  readonly #maxBuckets: number;
  readonly #buckets = new Map<string, Bucket>();
  #cursor: MapIterator<[string, Bucket]>;

  constructor(clock: Clock, maxBuckets: number) {
    this.#clock = clock;
    this.#maxBuckets = maxBuckets;
    this.#cursor = this.#buckets.entries();
  }

  take(name: string, limit: RateLimit): RateDecision {
    const now = this.#clock.now();
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      if (this.#buckets.size >= this.#maxBuckets) this.#makeRoom(now);
      bucket = { level: limit.burst * TOKEN, at: now, limit };
      this.#buckets.set(name, bucket);
    } else {
      // The time since was under the limit of then; a clock that was set back counts from here on.
      bucket.level = Math.min(levelAt(bucket, bucket.limit, now), limit.burst * TOKEN);
      bucket.at = now;
      bucket.limit = limit;
    }
    const left = levelAfterTake(bucket.level);
    if (left !== undefined) bucket.level = left;
    return decisionOf(left !== undefined, bucket.level, limit);
  }

  async close(): Promise<void> {
    this.#buckets.clear();
  }

  /**
   * Drops buckets that have refilled: a full bucket is the same as none. The search goes on where the last one ended.
   * When none of those looked at is full, the fullest of them goes, so that memory stays bounded.
   */
  #makeRoom(now: number): void {
    let dropped = false;
    let fullest: string | undefined;
    let fullestShare = -1;
    for (let looked = 0; looked < MAX_LOOKED_AT; looked += 1) {
      const next = this.#cursor.next();
      if (next.done) {
        this.#cursor = this.#buckets.entries();
        if (this.#buckets.size === 0) break;
        continue;
      }
      const [name, bucket] = next.value;
      const share = levelAt(bucket, bucket.limit, now) / (bucket.limit.burst * TOKEN);
      if (share >= 1) {
        this.#buckets.delete(name);
        dropped = true;
      } else if (share > fullestShare) {
        fullest = name;
        fullestShare = share;
      }
    }
    if (!dropped && fullest !== undefined) this.#buckets.delete(fullest);
  }
}

/**
 * Token buckets in the memory of this process: exact, synchronous, one object made per call.
 * @param options.maxBuckets bound of the table, at least 1, by default 100,000; with more buckets than this in use at
 * once, the fullest are forgotten early. Set it above the number of active keys.
 */
export function createMemoryRateLimiter(options: { readonly clock: Clock; readonly maxBuckets?: number }): SyncRateLimiter {
  const { clock, maxBuckets = DEFAULT_MAX_BUCKETS } = options;
  if (!(maxBuckets >= 1)) throw new RangeError('maxBuckets must be at least 1');
  return new MemoryRateLimiter(clock, maxBuckets);
}
