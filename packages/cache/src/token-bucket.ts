import type { RateDecision, RateLimit } from './rate-limiter.ts';

/**
 * Tokens are counted in thousandths: `perSecond` tokens a second are exactly `perSecond` thousandths a millisecond, so
 * whole-number limits never meet a rounded fraction.
 */
export const TOKEN = 1000;

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
    retryAfterSeconds: allowed ? 0 : Math.ceil((TOKEN - level) / perSecond),
  };
}
