import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { createRedisRateLimiter } from './redis-rate-limiter.ts';

/** A limiter over a Redis that responds with what `replies` has: 1 for a token that was taken, thousandths of a token left. */
function setUp(...replies: [taken: number, level: string][]) {
  const clock = new ManualClock(1_000_000);
  let calls = 0;
  const run = async <T>(): Promise<T> => {
    calls += 1;
    return (replies.shift() ?? [0, '0']) as T;
  };
  const limiter = createRedisRateLimiter({ connection: { run, close: async () => undefined }, clock });
  return { clock, limiter, calls: () => calls };
}

const limit = { perSecond: 20, burst: 5 };

test('a bucket that is empty costs no further call until a token can be there', async () => {
  const { clock, limiter, calls } = setUp([0, '0'], [1, '0']);
  expect(await limiter.take('a', limit)).toMatchObject({ allowed: false, waitMs: 50 });
  clock.advance(49);
  expect(await limiter.take('a', limit)).toMatchObject({ allowed: false, waitMs: 1, retryAfterSeconds: 1 });
  expect(calls()).toBe(1);
  clock.advance(1);
  expect(await limiter.take('a', limit)).toMatchObject({ allowed: true });
  expect(calls()).toBe(2);
});

test.each<[name: string, passMs: number, then: typeof limit]>([
  ['after 100 ms, as the server may have been emptied', 100, { perSecond: 0.01, burst: 5 }],
  ['under another limit', 0, { perSecond: 0.01, burst: 6 }],
  ['by a clock that was set back', -1, { perSecond: 0.01, burst: 5 }],
])('a refusal does not hold %s', async (_name, passMs, then) => {
  const { clock, limiter, calls } = setUp();
  await limiter.take('a', { perSecond: 0.01, burst: 5 });
  clock.advance(passMs);
  await limiter.take('a', then);
  expect(calls()).toBe(2);
});

test('10,000 refusals are kept, the oldest is dropped', async () => {
  const { limiter, calls } = setUp();
  for (let no = 0; no <= 10_000; no += 1) await limiter.take(`bucket ${no}`, limit);
  await limiter.take('bucket 1', limit);
  expect(calls()).toBe(10_001);
  await limiter.take('bucket 0', limit);
  expect(calls()).toBe(10_002);
});
