import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { awakeTime } from '@parcelway/kernel/testing/awake-time';
import { serverVariable } from '@parcelway/kernel/testing/server-variable';
import { Client } from 'minio';
import { type Proxy as FaultProxy, Toxiproxy } from 'toxiproxy-node-client';
import { describeBlobs } from './blobs.conformance.ts';
import type { Blobs } from './blobs.ts';
import { createBucket, type MinioOptions, openMinioBlobs } from './minio-driver.ts';
import { PATIENT } from './minio-objects.ts';

const store = {
  url: serverVariable('S3_ENDPOINT'),
  region: serverVariable('S3_REGION'),
  accessKey: serverVariable('S3_ACCESS_KEY'),
  secretKey: serverVariable('S3_SECRET_KEY'),
  bucket: `blobs-test-${randomBytes(6).toString('hex')}`,
};
/** Resolves when two calls, one after the other, have timed out to a store that does not respond. */
async function untilDeadlinesPassed(): Promise<void> {
  const silent = createServer(() => undefined);
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const blobs = openMinioBlobs({ ...store, url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` });
  try {
    for (const key of ['one', 'two']) await expect(blobs.open(key)).rejects.toMatchObject({ code: '50301' });
  } finally {
    await blobs.close();
    silent.close().closeAllConnections();
  }
}

/** Repeats a put as its error says, at most five times: a busy disk under the store may stop for longer than a put may take. */
async function putAgain(blobs: Blobs, key: string, size: number): Promise<void> {
  for (let left = 4; ; left -= 1) {
    try {
      await blobs.put(key, bytes(size), 'application/pdf');
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

const newPrefix = () => `${randomBytes(6).toString('hex')}/`;
const bytes = (size: number, fill = 7) => Readable.from([Buffer.alloc(size, fill)]);

const second = `${store.bucket}-two`;

beforeAll(async () => {
  expect(await createBucket(store)).toBe(true);
});
afterAll(async () => {
  const { hostname, port, protocol } = new URL(store.url);
  const { region, accessKey, secretKey } = store;
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: protocol === 'https:', region, accessKey, secretKey });
  for (const bucket of [store.bucket, second]) {
    if (!(await client.bucketExists(bucket))) continue;
    for await (const { name } of client.listObjectsV2(bucket, '', true)) await client.removeObject(bucket, name);
    await client.removeBucket(bucket);
  }
});

describeBlobs('minio', () => openMinioBlobs({ ...store, prefix: newPrefix() }));

describe('a bucket', () => {
  test('is made once, also by two at once', async () => {
    const options = { ...store, bucket: second };
    expect(await Promise.all([createBucket(options), createBucket(options)])).toContain(true);
    expect(await createBucket(options)).toBe(false);
  });

  test('that is missing is reported as missing', async () => {
    const blobs = openMinioBlobs({ ...store, bucket: `${store.bucket}-none` });
    await expect(blobs.check()).rejects.toMatchObject({ code: '50301', cause: { message: expect.stringContaining('does not exist') } });
    await expect(blobs.put('a', bytes(10), 'text/plain')).rejects.toMatchObject({
      code: '50301',
      cause: { message: expect.stringContaining('NoSuchBucket') },
    });
    await blobs.close();
  });

  test.each([
    ['secretKey', 'a-secret-that-is-wrong'],
    ['accessKey', 'an-access-key-that-is-wrong'],
  ])('refuses a wrong %s with an error that names it and not the secret', async (field, wrong) => {
    const options: MinioOptions = { ...store, [field]: wrong };
    const blobs = openMinioBlobs(options);
    const calls: (() => Promise<unknown>)[] = [
      () => blobs.put('a', bytes(10), 'text/plain'),
      () => blobs.open('a'),
      () => blobs.delete('a'),
      () => blobs.check(),
      () => createBucket(options),
    ];
    for (const call of calls) {
      const failure = await call().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: '50301', cause: { message: expect.stringMatching(/ key is /) } });
      const shown = inspect(failure, { depth: 10, showHidden: true }) + JSON.stringify(failure);
      for (const secret of [options.secretKey, 'Signature=', 'AWS4-HMAC']) expect(shown).not.toContain(secret);
    }
    await blobs.close();
  });
});

describe('a content', () => {
  let blobs: Blobs;
  beforeEach(async () => {
    blobs = openMinioBlobs({ ...store, prefix: newPrefix() });
  });
  afterEach(() => blobs.close());

  test('is one of many that memory never holds together, neither written nor read', async () => {
    // Of 200 MiB at once each one waits for the others.
    const patient = openMinioBlobs({ ...store, prefix: newPrefix() }, PATIENT);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const look = () => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    };
    async function* source() {
      for (let part = 0; part < 160; part += 1) {
        look();
        yield Buffer.alloc(64 * 1024, part);
      }
    }
    const timer = setInterval(look, 2);
    const keys = Array.from({ length: 20 }, (_, index) => `large-${index}`);
    await Promise.all(keys.map((key) => patient.put(key, Readable.from(source(), { objectMode: false }), 'application/pdf')));
    const sizes = keys.map(async (key) => {
      let size = 0;
      for await (const chunk of (await patient.open(key)) ?? []) size += chunk.length;
      return size;
    });
    expect(new Set(await Promise.all(sizes))).toEqual(new Set([10 * 1024 * 1024]));
    clearInterval(timer);
    await patient.close();
    expect(most).toBeLessThan(100_000_000); // of 200 MiB; garbage that is not collected yet is in it
  });

  test('waits for a reader who pauses for longer than the store may', async () => {
    const content = randomBytes(10_000_000);
    await blobs.put('slowly-read', Readable.from([content]), 'application/pdf');
    const stream = (await blobs.open('slowly-read')) as Readable;
    // Calls that began later run into both deadlines meanwhile.
    await untilDeadlinesPassed();
    expect(stream.readableLength).toBeLessThan(1_000_000);
    expect((await buffer(stream)).equals(content)).toBe(true);
  });
});

describe('a store with faults', () => {
  const toxiproxy = new Toxiproxy(serverVariable('TOXIPROXY_URL'));
  let proxy: FaultProxy;
  let blobs: Blobs;
  let direct: Blobs;
  beforeAll(async () => {
    const upstream = new URL(store.url).host;
    proxy = await toxiproxy.createProxy({ name: store.bucket, listen: '127.0.0.1:0', upstream });
  });
  afterAll(() => proxy.remove());
  beforeEach(async () => {
    const prefix = newPrefix();
    blobs = openMinioBlobs({ ...store, url: `http://${proxy.listen}`, prefix });
    direct = openMinioBlobs({ ...store, prefix });
    await putAgain(blobs, 'before', 1000); // leaves a connection that was good
  });
  afterEach(async () => {
    await heal();
    await Promise.all([blobs.close(), direct.close()]);
  });

  let breaks: Array<() => Promise<unknown>> = [];
  /** Heals this proxy alone: other suites break theirs at the same time. */
  const heal = async (): Promise<void> => {
    const repairs = breaks;
    breaks = [];
    for (const repair of repairs) await repair();
  };

  const toxic = async (type: 'timeout' | 'latency' | 'bandwidth' | 'limit_data', stream: 'upstream' | 'downstream', attributes: object) => {
    const added = await proxy.addToxic({ name: `${type}-${stream}`, type, stream, toxicity: 1, attributes });
    breaks.push(() => added.remove());
  };
  const switchTo = (enabled: boolean) => proxy.update({ enabled, listen: proxy.listen, upstream: proxy.upstream });
  const faults: [string, () => Promise<unknown>][] = [
    ['down', () => switchTo(false).then(() => breaks.push(() => switchTo(true)))],
    ['silent', () => toxic('timeout', 'upstream', { timeout: 0 })],
    ['silent in its responses', () => toxic('timeout', 'downstream', { timeout: 0 })],
    ['late', () => toxic('latency', 'downstream', { latency: 5000, jitter: 0 })],
    ['slow', () => toxic('bandwidth', 'upstream', { rate: 10 })],
    ['torn off', () => toxic('limit_data', 'upstream', { bytes: 40_000 })],
  ];

  async function timed(work: Promise<unknown>): Promise<{ failure: unknown; ms: number }> {
    const { value: failure, ms } = await awakeTime(() =>
      work.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    return { failure, ms };
  }

  test.each(faults)('that is %s fails a put and its deletion within 3 s, shows nothing, and works again after', async (name, breakIt) => {
    await breakIt();
    const put = await timed(blobs.put('object', bytes(300_000), 'application/pdf'));
    const deletion = await timed(blobs.delete('object'));
    expect(put.failure).toMatchObject({ code: '50301', retryAfterSeconds: 1 });
    expect(put.ms + deletion.ms).toBeLessThan(3000);
    if (!name.startsWith('silent in') && name !== 'late') expect(await direct.open('object')).toBeUndefined();
    await heal();
    await putAgain(blobs, 'object', 300_000);
    expect(await buffer((await direct.open('object')) as Readable)).toHaveLength(300_000);
  });

  test.each(faults.filter(([name]) => name !== 'slow' && name !== 'torn off'))(
    'that is %s fails reads and checks within 2 s',
    async (_name, breakIt) => {
      await breakIt();
      for (const work of [() => blobs.open('before'), () => blobs.check(), () => blobs.delete('before')]) {
        const { failure, ms } = await timed(work());
        expect(failure).toMatchObject({ code: '50301' });
        expect(ms).toBeLessThan(2000);
      }
    },
  );

  test('ends a read that it leaves in the middle', async () => {
    await putAgain(blobs, 'large', 10_000_000);
    await toxic('bandwidth', 'downstream', { rate: 2000 });
    const stream = (await blobs.open('large')) as Readable;
    stream.resume();
    await once(stream, 'data');
    await toxic('timeout', 'downstream', { timeout: 0 });
    const { failure, ms } = await timed(buffer(stream));
    expect(failure).toMatchObject({ code: 'ECONNRESET' });
    expect(ms).toBeLessThan(3000);
  });

  test('does not keep writers waiting behind readers who do not read', async () => {
    await putAgain(blobs, 'large', 5_000_000);
    const unread = [];
    // Not all in one moment: a machine that has other work would not begin 80 responses within the time that a call has.
    for (let round = 0; round < 8; round += 1) unread.push(...(await Promise.all(Array.from({ length: 10 }, () => blobs.open('large')))));
    await blobs.put('small', bytes(10), 'text/plain');
    for (const stream of unread) stream?.destroy();
  });
});

test('a call over a kept connection that turns out to be closed is made again, once', async () => {
  const served = new WeakMap<object, number>();
  const calls: string[] = [];
  const server = createServer((req, res) => {
    const count = (served.get(req.socket) ?? 0) + 1;
    served.set(req.socket, count);
    calls.push(count === 1 ? 'responded' : 'torn');
    if (count > 1) req.socket.resetAndDestroy();
    else req.resume().once('end', () => res.end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const blobs = openMinioBlobs({ ...store, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  try {
    for (let round = 0; round < 3; round += 1) await blobs.put('again', bytes(100_000), 'text/plain');
    expect(calls).toEqual(['responded', 'torn', 'responded', 'torn', 'responded']);
  } finally {
    await blobs.close();
    server.close().closeAllConnections();
  }
});
