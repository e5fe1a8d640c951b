import type { Clock } from '@parcelway/kernel/clock';
import { levelAfterTake, secondsToToken, TOKEN, TokenBuckets } from '@parcelway/kernel/token-bucket';
import type { RateDecision, RateLimit, RateLimiter } from './rate-limiter.ts';

/** Buckets kept, about 100 bytes each: more than there are active keys. */
const MAX_BUCKETS = 100_000;

/** A {@link RateLimiter} that responds at once. */
export interface SyncRateLimiter extends RateLimiter {
  take(bucket: string, limit: RateLimit): RateDecision;
}

/**
 * The figures of a bucket after a token was asked for.
 * @param level thousandths of a token that are left
 */
export function decisionOf(allowed: boolean, level: number, limit: RateLimit): RateDecision {
  return {
    allowed,
    limit: limit.burst,
    remaining: Math.floor(level / TOKEN),
    resetSeconds: Math.ceil((limit.burst * TOKEN - level) / (limit.perSecond * TOKEN)),
    waitMs: allowed ? 0 : Math.ceil((TOKEN - level) / limit.perSecond),
    retryAfterSeconds: allowed ? 0 : secondsToToken(level, limit),
  };
}

/** Token buckets in the memory of this process: exact and synchronous. */
export function createMemoryRateLimiter({ clock }: { readonly clock: Clock }): SyncRateLimiter {
  const buckets = new TokenBuckets(MAX_BUCKETS);
  return {
    take(name, limit) {
      const now = clock.now();
      const level = buckets.levelOf(name, limit, now);
      const left = levelAfterTake(level);
      buckets.set(name, left ?? level, now);
      return decisionOf(left !== undefined, left ?? level, limit);
    },
    close: async () => undefined,
  };
}
