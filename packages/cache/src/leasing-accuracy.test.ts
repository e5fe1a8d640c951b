import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { leasableTokens } from './lease-rules.ts';
import type { RateLimit } from './rate-limiter.ts';
import { type Load, Replicas } from './testing/replicas.ts';

const LATENCY_MS = 0.5;
/** One request, and what is refilled while a response is on its way. */
const slackOf = ({ perSecond }: RateLimit): number => 1 + (perSecond * LATENCY_MS) / 1000;

async function play(limit: RateLimit, replicas: number, loads: readonly Load[], ms: number): Promise<Replicas> {
  const played = new Replicas(limit, replicas, LATENCY_MS);
  for (const load of loads) played.plan(load);
  await played.time.playUntil(ms);
  return played;
}

const limits: readonly (readonly [string, RateLimit])[] = [
  ['2/s, burst 5', { perSecond: 2, burst: 5 }],
  ['20/s, burst 200', { perSecond: 20, burst: 200 }],
  ['1000/s, burst 100', { perSecond: 1000, burst: 100 }],
  ['300/s, burst 1200', { perSecond: 300, burst: 1200 }],
];

describe.each(limits)('replicas with a limit of %s let through what one bucket does, to a hundredth', (_name, limit) => {
  test.each([1, 4])('under random load on %d', async (replicas) => {
    const scale = Math.max(20, limit.perSecond, limit.burst / 2);
    const load = fc.record({
      replica: fc.integer({ min: 0, max: replicas - 1 }),
      from: fc.integer({ min: 0, max: 4000 }),
      ms: fc.constantFrom(1, 20, 300, 1500),
      factor: fc.constantFrom(0.02, 0.2, 1, 2),
      isBurst: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(load, { minLength: 1, maxLength: 8 }), async (drawn) => {
        const loads = drawn.map(({ replica, from, ms, factor, isBurst }) => ({
          replica,
          from,
          to: from + (isBurst ? 10 : ms),
          perSecond: isBurst ? (factor * limit.burst * 1000) / 10 : factor * scale,
        }));
        const played = await play(limit, replicas, loads, 6000);
        expect(played.excess()).toBeLessThanOrEqual(slackOf(limit));
        expect(played.overshoot()).toBeLessThanOrEqual(leasableTokens(limit) + slackOf(limit));
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });
});

describe('replicas', () => {
  test.each([1, 8])('with a small bucket decide as one bucket does, request by request: %d of them', async (replicas) => {
    const limit = { perSecond: 2, burst: 5 };
    const played = new Replicas(limit, replicas, 0);
    for (let replica = 0; replica < replicas; replica += 1) played.plan({ replica, from: replica * 7, to: 20_000, perSecond: 3 });
    await played.time.playUntil(20_000);
    for (const { decision, exact } of played.outcomes) expect(decision).toEqual(exact);
  });

  test('that die lose no more than a hundredth of the bucket', async () => {
    const limit = { perSecond: 1, burst: 2000 };
    const played = new Replicas(limit, 3, LATENCY_MS);
    for (const replica of [0, 1]) played.plan({ replica, from: 0, to: 100, perSecond: 1000 });
    await played.time.playUntil(102);
    for (const replica of [0, 1]) played.kill(replica);
    played.plan({ replica: 2, from: 1000, to: 2000, perSecond: 4000 });
    await played.time.playUntil(4000);
    const passed = played.outcomes.filter(({ decision }) => decision.allowed).length;
    expect(passed).toBeGreaterThanOrEqual(1980);
    expect(passed).toBeLessThanOrEqual(2004);
  });

  const large = { perSecond: 300, burst: 1200 };
  const oneHot = (replicas: number) => Array.from({ length: replicas }, (_, replica) => (replica === 0 ? 450 : 18));
  test.each([
    ['one replica above the rate', [450]],
    ['three with equal load', [120, 120, 120]],
    ['eight, one of them hot', oneHot(8)],
  ])('name remaining tokens and seconds to a hundredth, under steady load: %s', async (_name, rates) => {
    const loads = rates.map((perSecond, replica) => ({ replica, from: replica, to: 6000, perSecond }));
    const played = await play(large, rates.length, loads, 6000);
    const errors = played.outcomes
      .filter(({ at }) => at > 500)
      .map(({ decision, exact }) => Math.abs(decision.remaining - exact.remaining) - slackOf(large))
      .toSorted((left, right) => left - right);
    expect(errors[Math.floor(errors.length * 0.99)]).toBeLessThanOrEqual(large.burst / 100);
    // What a replica knows of a hot one may be a tenth of a second old.
    expect(errors.at(-1)).toBeLessThanOrEqual((2 * large.burst) / 100);
    for (const { at, decision, exact } of played.outcomes) {
      if (at > 500) expect(Math.abs(decision.resetSeconds - exact.resetSeconds)).toBeLessThanOrEqual(1);
    }
  });
});
