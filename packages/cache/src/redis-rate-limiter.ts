import type { Clock } from '@parcelway/kernel/clock';
import { type BucketLevel, levelAt, TOKEN } from '@parcelway/kernel/token-bucket';
import type { Redis } from 'ioredis';
import { createMemoryRateLimiter, decisionOf } from './memory-rate-limiter.ts';
import type { RateDecision, RateLimit, RateLimiter } from './rate-limiter.ts';
import type { RedisConnection } from './redis-connection.ts';

/** A bucket that needs longer than this to fill is forgotten all the same: 7 days. */
const MAX_TTL_MS = 7 * 24 * 3_600_000;

/** A refusal is remembered until the next token, and no longer than this. */
const MAX_REFUSED_MS = 100;
/** Refusals to remember; beyond this number the oldest is dropped. */
const MAX_REFUSALS = 10_000;

/**
 * Takes a token by the arithmetic of the memory driver and the clock of the server, which all replicas share. The value of a bucket is "level at"; it
 * lives until the bucket is full, and a full bucket is the same as none. Numbers are written with 17 digits, so that a fraction comes back as it was.
 * KEYS: bucket. ARGV: thousandths refilled a millisecond, capacity in thousandths. Returns: 1 when there was a token, thousandths left.
 */
const TAKE_TOKEN = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local level = capacity
local stored = redis.call('GET', KEYS[1])
if stored then
  local was, at = string.match(stored, '^(%S+) (%S+)$')
  level = math.min(capacity, tonumber(was) + math.max(0, now - tonumber(at)) * rate)
end
local taken = 0
if level >= ${TOKEN} then
  taken = 1
  level = level - ${TOKEN}
end
local text = string.format('%.17g', level)
local ttl = math.max(1, math.min(${MAX_TTL_MS}, math.ceil((capacity - level) / rate)))
redis.call('SET', KEYS[1], text .. ' ' .. string.format('%.0f', now), 'PX', string.format('%.0f', ttl))
return { taken, text }
`;

interface TakeToken {
  takeToken(bucket: string, ...args: number[]): Promise<[taken: number, level: string]>;
}

/** Gives the connection the command above; by its digest, the text is sent only where it is not known yet. */
function withTake(redis: Redis): Redis & TakeToken {
  if (!('takeToken' in redis)) redis.defineCommand('takeToken', { numberOfKeys: 1, lua: TAKE_TOKEN });
  return redis as Redis & TakeToken;
}

/** Buckets that were just found empty, so that a client that keeps asking causes no calls to Redis. */
class Refusals {
  readonly #clock: Clock;
  readonly #refused = new Map<string, { readonly level: BucketLevel; readonly limit: RateLimit; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param level as of before the call to Redis, so that the refusal ends before the next token arrives */
  note(bucket: string, limit: RateLimit, level: BucketLevel, waitMs: number): void {
    this.#refused.delete(bucket);
    this.#refused.set(bucket, { level, limit, until: level.at + Math.min(waitMs, MAX_REFUSED_MS) });
    if (this.#refused.size > MAX_REFUSALS) this.#refused.delete(this.#refused.keys().next().value as string);
  }

  /** The refusal that still holds. None when the limit has changed, or the clock was set back. */
  find(bucket: string, limit: RateLimit): RateDecision | undefined {
    const refused = this.#refused.get(bucket);
    if (refused === undefined) return undefined;
    const now = this.#clock.now();
    const { level, until } = refused;
    const isSame = refused.limit.perSecond === limit.perSecond && refused.limit.burst === limit.burst;
    if (isSame && now >= level.at && now < until) return decisionOf(false, levelAt(level, limit, now), limit);
    this.#refused.delete(bucket);
    return undefined;
  }
}

/**
 * Token buckets in Redis, shared by all replicas. While Redis is away, each replica counts for itself, in buckets of its own; `take` then responds at
 * once.
 * @param options.connection is not closed with the limiter
 * @param options.clock of the local buckets and refusals
 */
export function createRedisRateLimiter(options: { readonly connection: RedisConnection; readonly clock: Clock }): RateLimiter {
  const { connection, clock } = options;
  const local = createMemoryRateLimiter({ clock });
  const refusals = new Refusals(clock);
  return {
    take(bucket: string, limit: RateLimit): RateDecision | Promise<RateDecision> {
      const refusal = refusals.find(bucket, limit);
      if (refusal !== undefined) return refusal;
      const at = clock.now();
      const reply = connection.run((redis) => withTake(redis).takeToken(`rate:${bucket}`, limit.perSecond, limit.burst * TOKEN));
      if (reply === undefined) return local.take(bucket, limit);
      return reply.then(
        ([taken, text]) => {
          const level = Number(text);
          const decision = decisionOf(taken === 1, level, limit);
          if (!decision.allowed) refusals.note(bucket, limit, { level, at }, decision.waitMs);
          return decision;
        },
        // The connection logs the failure.
        () => local.take(bucket, limit),
      );
    },
    close: () => local.close(),
  };
}
