import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import { leasableTokens } from './lease-rules.ts';
import { createLeasingRateLimiter, type LeasingOptions } from './leasing-rate-limiter.ts';
import { createMemoryRateLimiter } from './memory-rate-limiter.ts';
import { describeRateLimiter } from './rate-limiter.conformance.ts';
import type { RateLimit, RateLimiter } from './rate-limiter.ts';
import { MemoryTokenStore } from './testing/memory-token-store.ts';
import { type Load, Replicas } from './testing/replicas.ts';
import type { TokenGrant, TokenRequest, TokenStore } from './token-store.ts';

const large = { perSecond: 1000, burst: 2000 };

function overMemory(options: Partial<LeasingOptions> = {}) {
  const clock = new ManualClock(0);
  const store = new MemoryTokenStore(clock);
  const timers: (() => void)[] = [];
  const limiter = createLeasingRateLimiter({
    store: { exchange: async (name, limit, request) => store.exchange(name, limit, 'holder', request) },
    local: createMemoryRateLimiter({ clock }),
    now: () => clock.now(),
    after: (_ms, run) => void timers.push(run),
    maxBuckets: 10,
    ...options,
  });
  return { clock, store, limiter, timers };
}

describeRateLimiter('leasing', async () => {
  const { clock, limiter } = overMemory();
  return { limiter, pass: async (ms) => clock.advance(ms) };
});

/** Takes tokens one after the other, some milliseconds apart. */
async function takeAll(limiter: RateLimiter, clock: ManualClock, count: number, everyMs: number): Promise<number> {
  let allowed = 0;
  for (let index = 0; index < count; index += 1) {
    if ((await limiter.take('key', large)).allowed) allowed += 1;
    clock.advance(everyMs);
  }
  return allowed;
}

describe('leases', () => {
  test('are used without asking, and one call at a time refills them before they are used up', async () => {
    const open: { request: TokenRequest; give: (grant: TokenGrant) => void }[] = [];
    const exchange: TokenStore['exchange'] = (_name, _limit, request) => new Promise((give) => open.push({ request, give }));
    const { clock, limiter, store } = overMemory({ store: { exchange } });
    const respond = async (): Promise<void> => {
      const { request, give } = open.shift() as (typeof open)[number];
      give(store.exchange('key', large, 'holder', request));
      await Promise.resolve();
    };
    const first = limiter.take('key', large);
    expect(first).toBeInstanceOf(Promise);
    await respond();
    clock.advance(4);
    const second = limiter.take('key', large);
    expect(open[0]?.request).toEqual({ needed: 1, ahead: 20, held: 0, back: 0 });
    await respond();
    await Promise.all([first, second]);
    for (let count = 0; count < 20; count += 1) {
      clock.advance(4);
      expect(limiter.take('key', large)).toMatchObject({ allowed: true });
      expect(open).toHaveLength(count < 17 ? 0 : 1);
    }
    // Used up before the store has responded: only now does a request wait, and no second call goes out.
    expect(limiter.take('key', large)).toBeInstanceOf(Promise);
    expect(open).toHaveLength(1);
  });

  test('of an idle bucket are returned, and nothing goes on then', async () => {
    const { clock, limiter, store, timers } = overMemory();
    await takeAll(limiter, clock, 50, 5);
    expect(timers).toHaveLength(1);
    for (let sweep = 0; timers.length > 0; sweep += 1) {
      expect(sweep).toBeLessThan(4);
      clock.advance(100);
      timers.shift()?.();
    }
    clock.advance(1000);
    const ask = { needed: 0, ahead: 100, held: 0, back: 0 };
    expect(store.exchange('key', large, 'other', ask)).toMatchObject({ leased: 20, level: 1980_000, free: 20 });
  });

  test('are returned when the limiter is closed', async () => {
    const { clock, limiter, store } = overMemory();
    const slow = { perSecond: 0.001, burst: 2000 };
    for (let index = 0; index < 50; index += 1, clock.advance(1)) await limiter.take('key', slow);
    await limiter.close();
    expect(Math.floor(store.exchange('key', slow, 'other', { needed: 0, ahead: 0, held: 0, back: 0 }).level / 1000)).toBe(1950);
  });

  test('that are too old are not used: they go back', async () => {
    const { clock, limiter, store } = overMemory();
    await takeAll(limiter, clock, 30, 5);
    clock.advance(500);
    const exchange = jest.spyOn(store, 'exchange');
    expect(limiter.take('key', large)).toBeInstanceOf(Promise);
    expect(exchange.mock.calls[0]?.[3]).toMatchObject({ needed: 1, held: 0, back: expect.any(Number) });
    expect(exchange.mock.calls[0]?.[3].back).toBeGreaterThan(0);
  });

  test('under a former limit go back, and the new one holds at once', async () => {
    const { clock, limiter } = overMemory();
    await takeAll(limiter, clock, 30, 5);
    const lowered = await limiter.take('key', { perSecond: 0.001, burst: 2 });
    expect(lowered).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
  });

  test('of the bucket that asked longest ago are returned when the table is full', async () => {
    const { clock, limiter, store } = overMemory({ maxBuckets: 2 });
    const slow = { perSecond: 0.001, burst: 2000 };
    for (let index = 0; index < 30; index += 1, clock.advance(5)) await limiter.take('first', slow);
    for (const name of ['second', 'third']) await limiter.take(name, slow);
    expect(Math.floor(store.exchange('first', slow, 'other', { needed: 0, ahead: 0, held: 0, back: 0 }).level / 1000)).toBe(1970);
  });
});

describe('a store that is out', () => {
  const slow = (burst: number) => ({ perSecond: 0.001, burst });

  test('is done without: at once when that is known, and after the failure otherwise', async () => {
    let isKnown = false;
    const exchange: TokenStore['exchange'] = () => (isKnown ? undefined : Promise.reject(new Error('out')));
    const { limiter } = overMemory({ store: { exchange } });
    const first = await Promise.all(Array.from({ length: 20 }, () => limiter.take('key', slow(30))));
    isKnown = true;
    const next = Array.from({ length: 20 }, () => limiter.take('key', slow(30)));
    for (const decision of next) expect(decision).not.toBeInstanceOf(Promise);
    const decisions = [...first, ...(await Promise.all(next))];
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(30);
  });

  test('that fails takes the leases of a bucket with it', async () => {
    let isOut = false;
    const memory = new MemoryTokenStore(new ManualClock(0));
    const { clock, limiter } = overMemory({
      store: {
        exchange: async (name, limit, request) => {
          if (isOut) throw new Error('out');
          return memory.exchange(name, limit, 'holder', request);
        },
      },
    });
    await takeAll(limiter, clock, 30, 5);
    isOut = true;
    expect(await takeAll(limiter, clock, 3000, 0)).toBeLessThanOrEqual(2020);
  });
});

describe('calls to the store', () => {
  let played: Replicas;
  afterEach(() => expect(played.outcomes.length).toBeGreaterThan(0));
  async function callsOf(limit: { perSecond: number; burst: number }, from: number): Promise<number> {
    played = new Replicas(limit, 1, 0.5);
    played.plan({ replica: 0, from: 0, to: from + 1000, perSecond: 200 });
    await played.time.playUntil(from);
    const before = played.store.calls;
    await played.time.playUntil(from + 1000);
    return played.store.calls - before;
  }

  test.each([
    [1000, 1000],
    [1000, 2000],
    [5000, 10_000],
    [300, 4000],
  ])('are a tenth of 200 requests a second, from the first request on: %d/s, burst %d', async (perSecond, burst) => {
    expect(await callsOf({ perSecond, burst }, 0)).toBeLessThanOrEqual(20);
    expect(await callsOf({ perSecond, burst }, 2000)).toBeLessThanOrEqual(20);
  });

  test.each([
    [2, 5],
    [20, 200],
    [100, 1000],
  ])('are a tenth when most requests are refused: %d/s, burst %d', async (perSecond, burst) => {
    expect(await callsOf({ perSecond, burst }, 12_000)).toBeLessThanOrEqual(20);
  });
});

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
