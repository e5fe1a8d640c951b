/** A token bucket: refilled at `perSecond`, holding at most `burst`. */
export interface BucketLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** What is kept of a bucket. */
export interface BucketLevel {
  /** Thousandths of a token at `at`. */
  readonly level: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Tokens are counted in thousandths: `perSecond` tokens a second are exactly `perSecond` thousandths a millisecond, so
 * whole-number limits never meet a rounded fraction.
 */
export const TOKEN = 1000;

/** Thousandths of a token in a bucket at `now`. A clock that is set back adds nothing. */
export function levelAt({ level, at }: BucketLevel, { perSecond, burst }: BucketLimit, now: number): number {
  return Math.min(burst * TOKEN, level + Math.max(0, now - at) * perSecond);
}

/** What is left of a level when a request takes a token; undefined when there is none to take, and the request does not pass. */
export function levelAfterTake(level: number): number | undefined {
  return level >= TOKEN ? level - TOKEN : undefined;
}

/** Seconds until a bucket has one token, rounded up; 0 when it has one. */
export function secondsToToken(level: number, { perSecond }: BucketLimit): number {
  return level >= TOKEN ? 0 : Math.ceil((TOKEN - level) / (perSecond * TOKEN));
}

/** Token buckets by name. Beyond a number of them, the one that rested for longest is forgotten: it is full again, or nearly so. */
export class TokenBuckets {
  readonly #max: number;
  readonly #buckets = new Map<string, BucketLevel>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Thousandths of a token that a bucket has. `now`: epoch milliseconds. */
  levelOf(name: string, limit: BucketLimit, now: number): number {
    const bucket = this.#buckets.get(name);
    return bucket === undefined ? limit.burst * TOKEN : levelAt(bucket, limit, now);
  }

  /** Sets what a bucket has. */
  set(name: string, level: number, now: number): void {
    // Re-inserted, so that the map is in the order of the last change.
    this.#buckets.delete(name);
    this.#buckets.set(name, { level, at: now });
    if (this.#buckets.size > this.#max) this.#buckets.delete(this.#buckets.keys().next().value as string);
  }
}
