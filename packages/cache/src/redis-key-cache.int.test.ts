import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManualClock, systemClock } from '@parcelway/kernel/clock';
import { newToken } from '@parcelway/kernel/ids';
import { silentLogger } from '@parcelway/kernel/logger';
import { awakeTime } from '@parcelway/kernel/testing/awake-time';
import { Redis } from 'ioredis';
import { Toxiproxy } from 'toxiproxy-node-client';
import { describeKeyCache } from './key-cache.conformance.ts';
import { COMMAND_MS, openRedis, type RedisConnection } from './redis-connection.ts';
import { createRedisKeyCache } from './redis-key-cache.ts';

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start the servers`);
  return value;
}

const url = variable('REDIS_URL');
const keyPrefix = `key-test:${newToken()}:`;
let connection: RedisConnection;
let other: RedisConnection;
let admin: Redis;
beforeAll(async () => {
  [connection, other] = await Promise.all([
    openRedis(url, { logger: silentLogger, keyPrefix }),
    openRedis(url, { logger: silentLogger, keyPrefix }),
  ]);
  admin = new Redis(url);
});
afterAll(async () => {
  admin.disconnect();
  await Promise.all([connection.close(), other.close()]);
});

const open = <T>(over: RedisConnection, name: string, clock = systemClock) => createRedisKeyCache<T>({ connection: over, name, clock });
const settle = async (over: RedisConnection) => void (await over.run((redis) => redis.ping()));

describeKeyCache('redis', async () => ({ cache: open(connection, newToken()), pass: (ms) => sleep(ms) }));

describe('a cache that replicas share', () => {
  test('gives to one what another has set, and to no other cache or installation', async () => {
    const name = newToken();
    open<number>(connection, name).set('a', 1, 10_000);
    await settle(connection);
    expect(await open<number>(other, name).get('a')).toBe(1);
    expect(await open<number>(other, newToken()).get('a')).toBeUndefined();
    const elsewhere = await openRedis(url, { logger: silentLogger, keyPrefix: `${keyPrefix}production:` });
    expect(await open<number>(elsewhere, name).get('a')).toBeUndefined();
    await elsewhere.close();
  });

  test('does not believe what is set soon after a deletion, by whomever', async () => {
    const name = newToken();
    const [one, two] = [open<string>(connection, name), open<string>(other, name)];
    one.set('key', 'before', 10_000);
    await settle(connection);
    two.delete('key');
    await settle(other);
    expect(await one.get('key')).toBeUndefined();
    one.set('key', 'looked up before the deletion', 10_000);
    await settle(connection);
    expect(await one.get('key')).toBeUndefined();
    expect(await two.get('key')).toBeUndefined();
    const marks = await admin.keys(`${keyPrefix}${name}:deleted:*`);
    expect(marks).toHaveLength(1);
    expect(await admin.pttl(marks[0] as string)).toBeLessThanOrEqual(10_000);
    await admin.del(marks);
    one.set('key', 'after', 10_000);
    expect(await one.get('key')).toBe('after');
  });

  test('does not believe what was written late, or on a clock that is far off', async () => {
    const name = newToken();
    const [writer, reader] = [new ManualClock(1_700_000_000_000), new ManualClock(1_700_000_000_000)];
    const written = open<string>(connection, name, writer);
    const read = open<string>(connection, name, reader);
    written.set('key', 'value', 2500);
    for (const [ms, expected] of [
      [0, 'value'],
      [2499, 'value'],
      [2500, undefined],
      [600_000, undefined],
      [-400, 'value'],
      [-600_000, undefined],
    ] as const) {
      reader.advance(ms);
      expect(await read.get('key')).toBe(expected);
      reader.advance(-ms);
    }
  });

  test('takes a value that is none of ours for a miss', async () => {
    const name = newToken();
    const cache = open<number>(connection, name);
    for (const text of ['{', 'null', '1', '{}', '[]', '{"value":1}']) {
      await admin.set(`${keyPrefix}${name}:value:key`, text, 'PX', 10_000);
      expect(await cache.get('key')).toBeUndefined();
    }
    await admin.del(`${keyPrefix}${name}:value:key`);
    await admin.lpush(`${keyPrefix}${name}:value:key`, 'a list');
    expect(await cache.get('key')).toBeUndefined();
    await admin.del(`${keyPrefix}${name}:value:key`);
  });

  test('leaves nothing that stays for ever', async () => {
    const keys = await admin.keys(`${keyPrefix}*`);
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(await admin.pttl(key)).not.toBe(-1);
  });
});

test('a Redis that hangs makes misses, quickly, and no failures', async () => {
  const toxiproxy = new Toxiproxy(variable('TOXIPROXY_URL'));
  const proxy = await toxiproxy.createProxy({ name: keyPrefix, listen: '127.0.0.1:0', upstream: new URL(url).host });
  const hanging = await openRedis(`redis://${proxy.listen}`, { logger: silentLogger, keyPrefix });
  const cache = open<number>(hanging, newToken());
  const kept = async (): Promise<void> => {
    for (const end = Date.now() + 10_000; (await cache.get('a')) !== 1; await sleep(20)) {
      expect(Date.now()).toBeLessThan(end);
      cache.set('a', 1, 60_000);
    }
  };
  await kept();
  const toxic = await proxy.addToxic({ name: 'hang', type: 'timeout', stream: 'upstream', toxicity: 1, attributes: { timeout: 0 } });

  const first = await awakeTime(() => cache.get('a'));
  expect(first.value).toBeUndefined();
  expect(first.ms).toBeLessThan(COMMAND_MS + 150);
  const next = await awakeTime(() => {
    cache.set('a', 2, 60_000);
    cache.delete('b');
    return cache.get('a');
  });
  expect(next.value).toBeUndefined();
  expect(next.ms).toBeLessThan(50);

  await toxic.remove();
  let back: number | undefined;
  for (const end = Date.now() + 10_000; back === undefined; await sleep(20)) {
    expect(Date.now()).toBeLessThan(end);
    back = await cache.get('a');
  }
  expect(back).toBe(1);
  await hanging.close();
  await proxy.remove();
});
