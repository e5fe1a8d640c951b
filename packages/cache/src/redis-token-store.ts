import { newToken } from '@parcelway/kernel/ids';
import { TOKEN } from '@parcelway/kernel/token-bucket';
import type { Redis } from 'ioredis';
import { LEASE_MS, leasableTokens } from './lease-rules.ts';
import type { RateLimit } from './rate-limiter.ts';
import type { RedisConnection } from './redis-connection.ts';
import type { TokenGrant, TokenRequest, TokenStore } from './token-store.ts';

/** A bucket that needs longer than this to fill is forgotten all the same: 7 days. */
const MAX_TTL_MS = 7 * 24 * 3_600_000;

/**
 * Refills a bucket by the arithmetic of the memory driver and the clock of the server, which all replicas share; then
 * returns, takes and leases tokens. The value of a bucket is "level at"; it lives until the bucket is full, and a full
 * bucket is the same as none. Numbers are written with 17 digits, so that a fraction comes back as it was. The value of
 * its leases is "holder tokens wanted end" for each. A lease that has ended, or that ends later than any can, counts no
 * longer. A holder gets an equal part of what may be leased, or all that the others do not want.
 * KEYS: bucket, leases. ARGV: thousandths refilled a millisecond, capacity in thousandths; tokens needed and returned;
 * tokens that may be leased to all; holder, tokens that it holds and wants ahead. Returns: taken, leased, level, free.
 */
const EXCHANGE_TOKENS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local level = capacity
local stored = redis.call('GET', KEYS[1])
if stored then
  local was, at = string.match(stored, '^(%S+) (%S+)$')
  level = math.min(capacity, tonumber(was) + math.max(0, now - tonumber(at)) * rate)
end
level = math.min(capacity, level + tonumber(ARGV[4]) * ${TOKEN})
local taken = math.min(tonumber(ARGV[3]), math.floor(level / ${TOKEN}))
level = level - taken * ${TOKEN}
local leased, free, leasable = 0, 0, tonumber(ARGV[5])
if leasable > 0 then
  local me, held, ahead = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
  local others, wanted, holders, kept = 0, 0, 1, {}
  for holder, tokens, want, ends in string.gmatch(redis.call('GET', KEYS[2]) or '', '(%S+) (%d+) (%d+) (%d+)') do
    local left = ends - now
    if holder ~= me and left > 0 and left <= ${LEASE_MS} then
      others, wanted, holders = others + tokens, wanted + want, holders + 1
      kept[#kept + 1] = holder .. ' ' .. tokens .. ' ' .. want .. ' ' .. ends
    end
  end
  free = math.max(0, leasable - others)
  local share = math.min(free, math.max(math.floor(leasable / holders), leasable - wanted))
  leased = math.max(0, math.min(ahead, math.floor(level / ${TOKEN}), share - held))
  level = level - leased * ${TOKEN}
  if held + ahead > 0 then
    kept[#kept + 1] = string.format('%s %d %d %.0f', me, held + leased, held + ahead, now + ${LEASE_MS})
  end
  if #kept > 0 then
    redis.call('SET', KEYS[2], table.concat(kept, ' '), 'PX', ${LEASE_MS})
  else
    redis.call('DEL', KEYS[2])
  end
end
local text = string.format('%.17g', level)
local ttl = math.max(1, math.min(${MAX_TTL_MS}, math.ceil((capacity - level) / rate)))
redis.call('SET', KEYS[1], text .. ' ' .. string.format('%.0f', now), 'PX', string.format('%.0f', ttl))
return { taken, leased, text, free }
`;

type Reply = [taken: number, leased: number, level: string, free: number];

interface ExchangeTokens {
  exchangeTokens(bucket: string, leases: string, ...args: (string | number)[]): Promise<Reply>;
}

/** Gives the connection the command above; by its digest, the text is sent only where it is not known yet. */
function withExchange(redis: Redis): Redis & ExchangeTokens {
  if (!('exchangeTokens' in redis)) redis.defineCommand('exchangeTokens', { numberOfKeys: 2, lua: EXCHANGE_TOKENS });
  return redis as Redis & ExchangeTokens;
}

class RedisTokenStore implements TokenStore {
  readonly #connection: RedisConnection;
  readonly #holder = newToken();

  constructor(connection: RedisConnection) {
    this.#connection = connection;
  }

  exchange(bucket: string, limit: RateLimit, { needed, ahead, held, back }: TokenRequest): Promise<TokenGrant> | undefined {
    const { perSecond, burst } = limit;
    const args = [perSecond, burst * TOKEN, needed, back, leasableTokens(limit), this.#holder, held, ahead];
    return this.#connection
      .run((redis) => withExchange(redis).exchangeTokens(`rate:${bucket}`, `leases:${bucket}`, ...args))
      ?.then(([taken, leased, level, free]) => ({ taken, leased, level: Number(level), free }));
  }
}

/**
 * Buckets in Redis, shared by all processes that use it. Each store is a holder of leases of its own.
 * @param connection is not closed with the store
 */
export function createRedisTokenStore(connection: RedisConnection): TokenStore {
  return new RedisTokenStore(connection);
}
