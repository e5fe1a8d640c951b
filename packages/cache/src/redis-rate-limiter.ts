import type { Clock } from '@parcelway/kernel/clock';
import { createLeasingRateLimiter } from './leasing-rate-limiter.ts';
import { createMemoryRateLimiter } from './memory-rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { RedisConnection } from './redis-connection.ts';
import { createRedisTokenStore } from './redis-token-store.ts';

/** Buckets known here by default; about 300 bytes each. */
const DEFAULT_MAX_BUCKETS = 100_000;

/**
 * Token buckets in Redis, shared by all replicas: at most a hundredth of a bucket is leased to them in advance, and small
 * buckets not at all. While Redis is away, each replica counts for itself, in buckets of its own; `take` then responds at
 * once.
 * @param options.connection is not closed with the limiter; close the limiter first, so that it returns its leases
 * @param options.clock of the local buckets
 */
export function createRedisRateLimiter(options: { readonly connection: RedisConnection; readonly clock: Clock }): RateLimiter {
  return createLeasingRateLimiter({
    store: createRedisTokenStore(options.connection),
    local: createMemoryRateLimiter({ clock: options.clock }),
    now: () => performance.now(),
    after: (ms, run) => void setTimeout(run, ms).unref(),
    maxBuckets: DEFAULT_MAX_BUCKETS,
  });
}
