import { secondsToToken, TOKEN } from '@parcelway/kernel/token-bucket';
import type { RateDecision, RateLimit } from './rate-limiter.ts';

/**
 * The figures of a bucket after a token was asked for.
 * @param level thousandths of a token that are left
 */
export function decisionOf(allowed: boolean, level: number, limit: RateLimit): RateDecision {
  const perSecond = limit.perSecond * TOKEN;
  return {
    allowed,
    limit: limit.burst,
    remaining: Math.floor(level / TOKEN),
    resetSeconds: Math.ceil((limit.burst * TOKEN - level) / perSecond),
    waitMs: allowed ? 0 : Math.ceil((TOKEN - level) / limit.perSecond),
    retryAfterSeconds: allowed ? 0 : secondsToToken(level, limit),
  };
}
