import { type BucketLevel, type BucketLimit, levelAt, TOKEN } from '@parcelway/kernel/token-bucket';

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

  /** Buckets that are known. */
  get size(): number {
    return this.#buckets.size;
  }
}
