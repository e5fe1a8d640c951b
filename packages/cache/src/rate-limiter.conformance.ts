import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import type { RateDecision, RateLimiter } from './rate-limiter.ts';

/** A limiter under test and the way time passes for it: a manual clock is moved, a real one waited for. */
export interface RateLimiterUnderTest {
  readonly limiter: RateLimiter;
  pass(ms: number): Promise<void>;
}

/** What every rate limiter must do. Rates are low enough for a driver with a real clock; bucket names are fresh. */
export function describeRateLimiter(name: string, open: () => Promise<RateLimiterUnderTest>): void {
  describe(`${name} rate limiter`, () => {
    let under: RateLimiterUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.limiter.close());

    test('lets a burst through and refuses the next, with exact figures', async () => {
      const bucket = newToken();
      const slow = { perSecond: 0.01, burst: 3 };
      const taken: RateDecision[] = [];
      for (let count = 0; count < 4; count += 1) taken.push(await under.limiter.take(bucket, slow));
      expect(taken.map((decision) => decision.allowed)).toEqual([true, true, true, false]);
      expect(taken.map((decision) => decision.remaining)).toEqual([2, 1, 0, 0]);
      expect(taken.map((decision) => decision.limit)).toEqual([3, 3, 3, 3]);
      for (const decision of taken.slice(0, 3)) expect(decision.retryAfterSeconds).toBe(0);
      expect(taken[0]?.resetSeconds).toBe(100);
      const refused = taken[3] as RateDecision;
      expect(refused.retryAfterSeconds).toBeGreaterThan(90);
      expect(refused.retryAfterSeconds).toBeLessThanOrEqual(100);
      expect(refused.resetSeconds).toBeGreaterThan(290);
      expect(refused.resetSeconds).toBeLessThanOrEqual(300);
    });

    test('refills up to the burst and no further', async () => {
      const bucket = newToken();
      const limit = { perSecond: 4, burst: 2 };
      await under.limiter.take(bucket, limit);
      await under.limiter.take(bucket, limit);
      await under.pass(1500);
      const decisions = [await under.limiter.take(bucket, limit), await under.limiter.take(bucket, limit)];
      expect(decisions.map((decision) => decision.allowed)).toEqual([true, true]);
      expect(decisions[0]?.remaining).toBe(1);
    });

    test('keeps buckets apart', async () => {
      const limit = { perSecond: 0.01, burst: 1 };
      const [a, b] = [newToken(), newToken()];
      expect((await under.limiter.take(a, limit)).allowed).toBe(true);
      expect((await under.limiter.take(b, limit)).allowed).toBe(true);
      expect((await under.limiter.take(a, limit)).allowed).toBe(false);
    });

    test('follows a limit that is lowered', async () => {
      const bucket = newToken();
      await under.limiter.take(bucket, { perSecond: 0.01, burst: 100 });
      const lowered = await under.limiter.take(bucket, { perSecond: 0.01, burst: 2 });
      expect(lowered).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
    });

    test('refuses at once, and truly, while no token can be there', async () => {
      const bucket = newToken();
      const limit = { perSecond: 2, burst: 1 };
      await under.limiter.take(bucket, limit);
      const refused = [await under.limiter.take(bucket, limit), await under.limiter.take(bucket, limit)];
      for (const { allowed, remaining, waitMs, retryAfterSeconds } of refused) {
        expect({ allowed, remaining, retryAfterSeconds }).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 1 });
        expect(waitMs).toBeGreaterThan(300);
        expect(waitMs).toBeLessThanOrEqual(500);
      }
      await under.pass(500);
      expect((await under.limiter.take(bucket, limit)).allowed).toBe(true);
    });
  });
}
