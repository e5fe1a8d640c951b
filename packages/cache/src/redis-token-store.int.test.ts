import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManualClock, systemClock } from '@parcelway/kernel/clock';
import { newToken } from '@parcelway/kernel/ids';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { LEASE_MS } from './lease-rules.ts';
import { openRedis, type RedisConnection } from './redis-connection.ts';
import { createRedisRateLimiter } from './redis-rate-limiter.ts';
import { createRedisTokenStore } from './redis-token-store.ts';
import { MemoryTokenStore } from './testing/memory-token-store.ts';
import type { TokenStore } from './token-store.ts';

const url = process.env['REDIS_URL'] ?? '';
const keyPrefix = `tokens-test:${newToken()}:`;
/** So slow that no refill shows in whole tokens. */
const limit = { perSecond: 0.000001, burst: 500 };
let connection: RedisConnection;
let admin: Redis;
beforeAll(async () => {
  connection = await openRedis(url, { logger: silentLogger, keyPrefix });
  admin = new Redis(url);
});
afterAll(async () => {
  admin.disconnect();
  await connection.close();
});

const ask = { needed: 0, ahead: 0, held: 0, back: 0 };

test('the script does what its model in memory does, for any requests of three processes', async () => {
  const request = fc.record({
    holder: fc.integer({ min: 0, max: 2 }),
    needed: fc.integer({ min: 0, max: 200 }),
    ahead: fc.integer({ min: 0, max: 6 }),
    held: fc.integer({ min: 0, max: 3 }),
    back: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
      const bucket = newToken();
      const stores = [0, 1, 2].map(() => createRedisTokenStore(connection));
      const model = new MemoryTokenStore(new ManualClock(0));
      for (const { holder, ...asked } of requests) {
        const expected = model.exchange(bucket, limit, String(holder), asked);
        const given = await (stores[holder] as TokenStore).exchange(bucket, limit, asked);
        expect({ ...given, level: Math.round(given?.level ?? -1) }).toEqual(expected);
      }
    }),
    { numRuns: 40 },
  );
});

test('a lease of a process that is gone counts for half a second, and stays no longer', async () => {
  const bucket = newToken();
  const [dead, living] = [createRedisTokenStore(connection), createRedisTokenStore(connection)];
  expect(await dead.exchange(bucket, limit, { ...ask, ahead: 5 })).toMatchObject({ leased: 5, free: 5 });
  expect(await living.exchange(bucket, limit, { ...ask, ahead: 5 })).toMatchObject({ leased: 0, free: 0 });
  const key = `${keyPrefix}leases:${bucket}`;
  expect(await admin.pttl(key)).toBeLessThanOrEqual(LEASE_MS);
  await until(async () => (await living.exchange(bucket, limit, ask))?.free === 5);
  await living.exchange(bucket, limit, ask);
  expect(await admin.exists(key)).toBe(0);
});

test('a lease that ends later than any can is not counted: the clock of the server was set back', async () => {
  const bucket = newToken();
  await admin.set(`${keyPrefix}leases:${bucket}`, `other 5 5 ${Date.now() + 3_600_000}`, 'PX', 60_000);
  expect(await createRedisTokenStore(connection).exchange(bucket, limit, { ...ask, ahead: 5 })).toMatchObject({ leased: 5, free: 5 });
});

test('a small bucket has no leases, and no key of them', async () => {
  const bucket = newToken();
  const small = { perSecond: 0.000001, burst: 99 };
  expect(await createRedisTokenStore(connection).exchange(bucket, small, { ...ask, needed: 1, ahead: 5 })).toMatchObject({
    taken: 1,
    leased: 0,
  });
  expect(await admin.exists(`${keyPrefix}leases:${bucket}`)).toBe(0);
});

test('an idle limiter returns its leases by itself, and a closed one at once', async () => {
  const bucket = newToken();
  const large = { perSecond: 0.000001, burst: 5000 };
  const store = createRedisTokenStore(connection);
  const used = async (): Promise<number> => 5000 - Math.round(((await store.exchange(bucket, large, ask))?.level ?? 0) / 1000);
  const limiter = createRedisRateLimiter({ connection, clock: systemClock });
  let taken = 0;
  const takeUntilLeased = (): Promise<true> =>
    until(async () => {
      taken += 1;
      await limiter.take(bucket, large);
      return (await used()) > taken;
    });
  await takeUntilLeased();
  await until(async () => (await used()) === taken);
  await takeUntilLeased();
  await limiter.close();
  expect(await used()).toBe(taken);
});
