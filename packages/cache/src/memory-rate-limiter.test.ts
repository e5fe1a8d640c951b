import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { TOKEN, TokenBuckets } from '@parcelway/kernel/token-bucket';
import fc from 'fast-check';
import { createMemoryRateLimiter } from './memory-rate-limiter.ts';
import { describeRateLimiter } from './rate-limiter.conformance.ts';

describeRateLimiter('memory', async () => {
  const clock = new ManualClock(1_700_000_000_000);
  return { limiter: createMemoryRateLimiter({ clock }), pass: async (ms) => clock.advance(ms) };
});

const limits = fc.record({ perSecond: fc.integer({ min: 1, max: 100 }), burst: fc.integer({ min: 1, max: 200 }) });
const steps = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 3000 }), takes: fc.integer({ min: 0, max: 60 }) }), {
  maxLength: 60,
});

test('in no window does it allow more than the burst and the rate', () => {
  fc.assert(
    fc.property(limits, steps, (limit, sequence) => {
      const clock = new ManualClock(0);
      const limiter = createMemoryRateLimiter({ clock });
      const allowedAt: number[] = [];
      for (const { wait, takes } of sequence) {
        clock.advance(wait);
        for (let count = 0; count < takes; count += 1) if (limiter.take('k', limit).allowed) allowedAt.push(clock.now());
      }
      for (const [from, first] of allowedAt.entries()) {
        for (const [more, at] of allowedAt.slice(from).entries()) {
          const most = limit.burst + (limit.perSecond * (at - first)) / 1000;
          if (more + 1 > most) throw new Error(`${more + 1} in ${at - first} ms, at most ${most}`);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('it never refuses a caller who keeps to the rate, and its promises hold', () => {
  fc.assert(
    fc.property(limits, steps, (limit, sequence) => {
      const clock = new ManualClock(0);
      const limiter = createMemoryRateLimiter({ clock });
      for (const { wait, takes } of sequence) {
        clock.advance(wait);
        let promised: number | undefined;
        for (let count = 0; count < takes; count += 1) {
          const decision = limiter.take('k', limit);
          if (promised !== undefined) expect(decision.allowed).toBe(promised > 0);
          promised = decision.remaining;
          if (!decision.allowed) {
            clock.advance(decision.retryAfterSeconds * 1000);
            expect(limiter.take('k', limit).allowed).toBe(true);
            break;
          }
        }
      }
      const { resetSeconds } = limiter.take('k', limit);
      clock.advance(resetSeconds * 1000);
      expect(limiter.take('k', limit).remaining).toBe(limit.burst - 1);
    }),
    { numRuns: 60 },
  );
});

test('beyond the number of buckets, the one that rested for longest is forgotten', () => {
  const buckets = new TokenBuckets(2);
  const limit = { perSecond: 1, burst: 2 };
  for (const name of ['old', 'busy', 'old', 'busy', 'new']) buckets.set(name, 0, 0);
  expect(['old', 'busy', 'new'].map((name) => buckets.levelOf(name, limit, 0))).toEqual([2 * TOKEN, 0, 0]);
});

test('a clock that is set back grants nothing and goes on from there', () => {
  const clock = new ManualClock(600_000);
  const limiter = createMemoryRateLimiter({ clock });
  const limit = { perSecond: 1, burst: 1 };
  limiter.take('k', limit);
  clock.advance(-600_000);
  expect(limiter.take('k', limit).allowed).toBe(false);
  clock.advance(1000);
  expect(limiter.take('k', limit).allowed).toBe(true);
});
