import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import { createMemoryRateLimiter } from './memory-rate-limiter.ts';
import { describeRateLimiter } from './rate-limiter.conformance.ts';

describeRateLimiter('memory', async () => {
  const clock = new ManualClock(1_700_000_000_000);
  return { limiter: createMemoryRateLimiter({ clock, maxBuckets: 1000 }), pass: async (ms) => clock.advance(ms) };
});

const limits = fc.record({ perSecond: fc.integer({ min: 1, max: 100 }), burst: fc.integer({ min: 1, max: 200 }) });

const steps = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 3000 }), takes: fc.integer({ min: 0, max: 60 }) }), {
  maxLength: 60,
});

test('in no window does it allow more than the burst and the rate', () => {
  fc.assert(
    fc.property(limits, steps, (limit, sequence) => {
      const clock = new ManualClock(0);
      const limiter = createMemoryRateLimiter({ clock, maxBuckets: 10 });
      const allowedAt: number[] = [];
      for (const { wait, takes } of sequence) {
        clock.advance(wait);
        for (let count = 0; count < takes; count += 1) if (limiter.take('k', limit).allowed) allowedAt.push(clock.now());
      }
      for (let from = 0; from < allowedAt.length; from += 1) {
        for (let to = from; to < allowedAt.length; to += 1) {
          const elapsed = (allowedAt[to] as number) - (allowedAt[from] as number);
          const most = limit.burst + (limit.perSecond * elapsed) / 1000;
          if (to - from + 1 > most) throw new Error(`${to - from + 1} in ${elapsed} ms, at most ${most}`);
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
      const limiter = createMemoryRateLimiter({ clock, maxBuckets: 10 });
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

test('stays bounded: refilled buckets make room, used ones are remembered', () => {
  const clock = new ManualClock(0);
  const limiter = createMemoryRateLimiter({ clock, maxBuckets: 10 });
  const limit = { perSecond: 1, burst: 2 };
  for (let count = 0; count < 9; count += 1) limiter.take(`idle ${count}`, limit);
  clock.advance(5000);
  limiter.take('busy', limit);
  limiter.take('busy', limit);
  for (let count = 0; count < 9; count += 1) limiter.take(`new ${count}`, limit);
  expect(limiter.take('busy', limit).allowed).toBe(false);
});

test('a table full of busy buckets still takes new ones', () => {
  const limiter = createMemoryRateLimiter({ clock: new ManualClock(0), maxBuckets: 3 });
  const limit = { perSecond: 1, burst: 2 };
  for (let count = 0; count < 1000; count += 1) expect(limiter.take(`key ${count}`, limit).allowed).toBe(true);
});

test('a clock that is set back grants nothing and goes on from there', () => {
  const clock = new ManualClock(600_000);
  const limiter = createMemoryRateLimiter({ clock, maxBuckets: 3 });
  const limit = { perSecond: 1, burst: 1 };
  limiter.take('k', limit);
  clock.advance(-600_000);
  expect(limiter.take('k', limit).allowed).toBe(false);
  clock.advance(1000);
  expect(limiter.take('k', limit).allowed).toBe(true);
});
