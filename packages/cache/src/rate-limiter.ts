import type { BucketLimit } from '@parcelway/kernel/token-bucket';

/** A token bucket. */
export type RateLimit = BucketLimit;

/** Outcome of taking one token. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Bucket size, for `RateLimit-Limit`. */
  readonly limit: number;
  /** Whole tokens left, for `RateLimit-Remaining`. */
  readonly remaining: number;
  /** Seconds until the bucket is full again, rounded up, for `RateLimit-Reset`. */
  readonly resetSeconds: number;
  /** Milliseconds until one token is there; 0 when allowed. */
  readonly waitMs: number;
  /** Seconds until one token is there, rounded up; 0 when allowed. For `Retry-After`. */
  readonly retryAfterSeconds: number;
}

/** Takes tokens from named buckets. Synchronous drivers return at once; remote ones a promise. */
export interface RateLimiter {
  take(bucket: string, limit: RateLimit): RateDecision | Promise<RateDecision>;
  close(): Promise<void>;
}
