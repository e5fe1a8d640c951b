import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { newToken } from '@parcelway/kernel/ids';
import type { LogFields, Logger } from '@parcelway/kernel/logger';
import { silentLogger } from '@parcelway/kernel/logger';
import { awakeTime } from '@parcelway/kernel/testing/awake-time';
import { serverVariable } from '@parcelway/kernel/testing/server-variable';
import { until } from '@parcelway/kernel/testing/until';
import { Redis } from 'ioredis';
import { type Proxy as FaultProxy, Toxiproxy } from 'toxiproxy-node-client';
import { describeRateLimiter } from './rate-limiter.conformance.ts';
import type { RateDecision, RateLimiter } from './rate-limiter.ts';
import { COMMAND_MS, openRedis, type RedisConnection } from './redis-connection.ts';
import { createRedisRateLimiter } from './redis-rate-limiter.ts';

const url = serverVariable('REDIS_URL');
const keyPrefix = `rate-test:${newToken()}:`;
/** No token comes back during a test. */
const slow = (burst: number) => ({ perSecond: 0.001, burst });

const connections: RedisConnection[] = [];
async function open(address = url, logger: Logger = silentLogger): Promise<RateLimiter> {
  const connection = await openRedis(address, { logger, keyPrefix });
  connections.push(connection);
  return createRedisRateLimiter({ connection, clock: systemClock });
}
afterEach(async () => {
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
});

/** Keeps what is logged, as it would be written. */
function recordingLogger() {
  const lines: string[] = [];
  const write = (level: string) => (fields: LogFields, message: string) => void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error'), child: () => logger };
  return { logger, lines };
}

/** Redis counts again when a token taken through `limiter` is missing from the bucket of one that was never away. */
async function countsInRedis(limiter: RateLimiter, direct: RateLimiter): Promise<boolean> {
  const bucket = newToken();
  await limiter.take(bucket, slow(5));
  return (await direct.take(bucket, slow(5))).remaining === 3;
}

describeRateLimiter('redis', async () => ({ limiter: await open(), pass: (ms) => sleep(ms) }));

describe('buckets in Redis', () => {
  let admin: Redis;
  beforeAll(() => {
    admin = new Redis(url);
  });
  afterAll(() => admin.disconnect());

  test('are counted exactly over replicas that take at once', async () => {
    const replicas = await Promise.all([open(), open(), open()]);
    const bucket = newToken();
    const taken = await Promise.all(Array.from({ length: 300 }, (_, index) => (replicas[index % 3] as RateLimiter).take(bucket, slow(99))));
    expect(taken.filter((decision) => decision.allowed)).toHaveLength(99);
    const remaining = taken.filter((decision) => decision.allowed).map((decision) => decision.remaining);
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 99 }, (_, index) => index));
  });

  test('are counted on when this process stands still for longer than a response may take', async () => {
    const { logger, lines } = recordingLogger();
    const limiter = await open(url, logger);
    const bucket = newToken();
    await limiter.take(bucket, slow(5));
    const second = limiter.take(bucket, slow(5));
    // The command leaves, and its response comes while nothing runs here.
    await new Promise((resolve) => setImmediate(resolve));
    for (const end = performance.now() + COMMAND_MS + 100; performance.now() < end; );
    expect(await second).toMatchObject({ remaining: 3 });
    expect(lines).toEqual([]);
  });

  test('live until they are full again and no longer', async () => {
    const limiter = await open();
    const [quick, lasting] = [newToken(), newToken()];
    await limiter.take(quick, { perSecond: 10, burst: 5 });
    expect(await admin.pttl(`${keyPrefix}rate:${quick}`)).toBeLessThanOrEqual(100);
    await until(async () => (await admin.exists(`${keyPrefix}rate:${quick}`)) === 0);
    await limiter.take(lasting, { perSecond: 0.000001, burst: 5 });
    expect(await admin.pttl(`${keyPrefix}rate:${lasting}`)).toBeLessThanOrEqual(7 * 24 * 3_600_000);
    expect(await admin.pttl(`${keyPrefix}rate:${lasting}`)).toBeGreaterThan(6 * 24 * 3_600_000);
  });

  test('are counted on when the server has forgotten the script', async () => {
    const limiter = await open();
    const bucket = newToken();
    await limiter.take(bucket, slow(5));
    await admin.script('FLUSH');
    expect(await limiter.take(bucket, slow(5))).toMatchObject({ allowed: true, remaining: 3 });
  });
});

describe('a Redis with faults', () => {
  const toxiproxy = new Toxiproxy(serverVariable('TOXIPROXY_URL'));
  let proxy: FaultProxy;
  beforeEach(async () => {
    proxy = await toxiproxy.createProxy({ name: `${keyPrefix}${newToken()}`, listen: '127.0.0.1:0', upstream: new URL(url).host });
  });
  afterEach(() => proxy.remove());
  const enable = (enabled: boolean) => proxy.update({ enabled, listen: proxy.listen, upstream: proxy.upstream });
  const hang = () => proxy.addToxic({ name: 'hang', type: 'timeout', stream: 'upstream', toxicity: 1, attributes: { timeout: 0 } });
  const heal = () => proxy.getToxic('hang').then((toxic) => toxic.remove());

  test.each([
    ['refuses connections', () => enable(false), () => enable(true)],
    ['hangs', hang, heal],
  ])('that %s is done without, quickly, until it responds again', async (_name, breakIt, healIt) => {
    const { logger, lines } = recordingLogger();
    const limiter = await open(`redis://${proxy.listen}`, logger);
    const direct = await open();
    expect(await countsInRedis(limiter, direct)).toBe(true);
    await breakIt();

    const bucket = newToken();
    const first = await Promise.all(Array.from({ length: 20 }, () => awakeTime(() => limiter.take(bucket, slow(30)))));
    for (const { ms } of first) expect(ms).toBeLessThan(COMMAND_MS + 150);
    const next = await awakeTime(async () => {
      const decisions: RateDecision[] = [];
      for (let count = 0; count < 20; count += 1) decisions.push(await limiter.take(bucket, slow(30)));
      return decisions;
    });
    expect(next.ms).toBeLessThan(100);
    const decisions = [...first.map(({ value }) => value), ...next.value];
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(30);

    // Probes run beside the calls: none of them waits.
    for (const end = Date.now() + 3000; Date.now() < end; await sleep(50)) {
      expect((await awakeTime(() => limiter.take(bucket, slow(30)))).ms).toBeLessThan(100);
    }
    expect(lines).toEqual([expect.stringMatching(/^warn Redis does not respond/)]);
    await healIt();
    await until(() => countsInRedis(limiter, direct));
    expect(lines).toEqual([expect.any(String), expect.stringMatching(/^info Redis responds again .*away_ms/)]);
  });

  test('that is out at the start is waited for in the background', async () => {
    await enable(false);
    const { logger, lines } = recordingLogger();
    const { value: limiter, ms } = await awakeTime(() => open(`redis://${proxy.listen}`, logger));
    expect(ms).toBeLessThan(1000);
    expect(await limiter.take('any', slow(1))).toMatchObject({ allowed: true });
    expect(await limiter.take('any', slow(1))).toMatchObject({ allowed: false });
    await enable(true);
    const direct = await open();
    await until(() => countsInRedis(limiter, direct));
    expect(lines).toHaveLength(2);
  });
});

describe('a Redis that is full', () => {
  let isFull = false;
  let relay: Server;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    const { hostname, port } = new URL(url);
    // The server that others use cannot be filled; what a full one says to a write is said in its place.
    relay = createServer((client) => {
      const server = connect(Number(port), hostname);
      for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined));
      server.pipe(client);
      client
        .on('close', () => server.destroy())
        .on('data', (chunk) => {
          if (isFull && /\r\n(set|eval|evalsha)\r\n/i.test(String(chunk))) {
            client.write("-OOM command not allowed when used memory > 'maxmemory'.\r\n");
          } else {
            server.write(chunk);
          }
        });
    });
    await once(relay.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });

  test('is bypassed until it accepts writes again, and that is logged once', async () => {
    const { logger, lines } = recordingLogger();
    const limiter = await open(`redis://127.0.0.1:${(relay.address() as AddressInfo).port}`, logger);
    const direct = await open();
    const bucket = newToken();
    isFull = true;
    expect(await limiter.take(bucket, slow(1))).toMatchObject({ allowed: true });
    expect(await limiter.take(bucket, slow(1))).toMatchObject({ allowed: false });
    for (const end = Date.now() + 2500; Date.now() < end; await sleep(50)) await limiter.take(bucket, slow(1));
    expect(lines).toEqual([expect.stringContaining('OOM')]);
    isFull = false;
    await until(() => countsInRedis(limiter, direct));
    expect(lines).toHaveLength(2);
  });
});

describe('the address of Redis', () => {
  test.each(['http://:canary-secret@127.0.0.1', 'canary-secret', 'redis'])(
    '%s is refused, and the error does not repeat it',
    async (address) => {
      const failure = await open(address).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RangeError);
      expect(String(failure)).not.toContain('canary');
    },
  );

  test('keeps its password to itself when it is wrong', async () => {
    const { logger, lines } = recordingLogger();
    const limiter = await open(url.replace('redis://', 'redis://someone:canary-secret@'), logger);
    expect(await limiter.take('any', slow(1))).toMatchObject({ allowed: true });
    expect(lines).toEqual([expect.stringContaining('WRONGPASS')]);
    expect(lines.join()).not.toContain('canary');
  });
});
