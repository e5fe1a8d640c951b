import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from '@jest/globals';
import { UnreadClient } from '@parcelway/harness/unread-client';
import { MAX_WRITE_BYTES, presetPrototypes } from '@parcelway/http/app-prototypes';
import { endStalledConnections, type StallOptions } from '@parcelway/http/end-stalled-connections';
import { readSendQueues } from '@parcelway/http/send-queues';
import { until } from '@parcelway/kernel/testing/until';
import express from 'express';

const CONTENT = Buffer.alloc(20 * 1024 * 1024, 'content ');
const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

let server: Server | undefined;
const clients: UnreadClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  server = undefined;
});

async function start(
  listener: RequestListener,
  afterMs = 1000,
  readQueues?: StallOptions['readQueues'],
): Promise<{ readonly ended: string[]; ask(bytes?: string): Promise<UnreadClient> }> {
  const started = createServer(presetPrototypes(express()) as object, listener);
  server = started;
  const ended: string[] = [];
  endStalledConnections(started, { afterMs, onEnded: (address) => ended.push(address), ...(readQueues && { readQueues }) });
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const { port } = started.address() as AddressInfo;
  return {
    ended,
    async ask(bytes = GET) {
      const client = await UnreadClient.open({ port, ca: null }, bytes);
      clients.push(client);
      return client;
    },
  };
}

test('a client that reads nothing is ended, one that reads now and then is not', async () => {
  const { ended, ask } = await start((_req, res) => res.end(CONTENT));
  const unread = await ask();
  const slow = await ask();
  await until(
    () => {
      slow.read(2 * 1024 * 1024);
      return slow.closed;
    },
    { what: 'the slow client to have everything', everyMs: 150, within: 15_000 },
  );
  expect(slow.received).toBeGreaterThan(CONTENT.length);
  await until(() => ended.length === 1, { what: 'the other one to be ended' });
  unread.read();
  await until(() => unread.closed, { what: 'its end' });
  expect(unread.received).toBeLessThan(CONTENT.length);
});

test('a client that empties what the system holds for it is not ended, one that hardly does is', async () => {
  let left = 4 * 1024 * 1024;
  let least = 64 * 1024;
  const { ended, ask } = await start(
    (_req, res) => res.end(CONTENT),
    200,
    async () => {
      left -= least;
      return { of: () => left };
    },
  );
  const client = await ask();
  await until(() => left < 3.7 * 1024 * 1024, { what: 'many looks at what is held' });
  expect(ended).toEqual([]);
  least = 0;
  await until(() => ended.length === 1, { what: 'its end' });
  client.destroy();
});

// Elsewhere the system does not report what it holds for a client.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('the system reports what it holds for a client', async () => {
  let socket: Socket | undefined;
  const { ask } = await start((req, res) => {
    socket = req.socket;
    res.end(CONTENT);
  }, 60_000);
  const client = await ask();
  const held = async (): Promise<number> => (socket && (await readSendQueues()).of(socket)) ?? 0;
  await until(async () => (await held()) > 64 * 1024, { what: 'the system to hold something' });
  client.read();
  await until(async () => (await held()) === 0, { what: 'the client to have everything' });
});

const speaksIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));

onLinux.each([
  ['127.0.0.1', ['127.0.0.2', '127.0.0.3']],
  ...(speaksIpv6 ? [['::', ['127.0.0.2', '127.0.0.3', '::1']] as const] : []),
] as const)('what the system holds for clients of %s that have the same port is counted apart', async (host, addresses) => {
  const accepted = new Map<string, Socket>();
  const listening = createTcpServer((socket) => accepted.set(socket.remoteAddress?.replace('::ffff:', '') ?? '', socket));
  await new Promise<void>((resolve) => listening.listen(0, host, resolve));
  const { port } = listening.address() as AddressInfo;
  const sockets: Socket[] = [];
  try {
    for (const localAddress of addresses) {
      const localPort = sockets[0]?.localPort ?? 0;
      const to = localAddress === '::1' ? '::1' : '127.0.0.1';
      const socket = connect({ host: to, port, localAddress, localPort });
      sockets.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve));
    }
    await until(() => accepted.size === addresses.length, { what: 'all to be accepted' });
    accepted.get('127.0.0.2')?.write(CONTENT);
    const held = async (): Promise<(number | undefined)[]> => {
      const queues = await readSendQueues();
      return addresses.map((address) => queues.of(accepted.get(address) as Socket));
    };
    await until(async () => ((await held())[0] ?? 0) > 64 * 1024, { what: 'the system to hold something' });
    expect((await held()).slice(1)).toEqual(addresses.slice(1).map(() => 0));
  } finally {
    for (const socket of [...sockets, ...accepted.values()]) socket.destroy();
    await new Promise((resolve) => listening.close(resolve));
  }
});

// A response of this size fits into what the system holds for a connection.
const SHORT = CONTENT.subarray(0, 512 * 1024);
const KEEP = GET.replace('Connection: close\r\n', '');

onLinux('a client that leaves what the system holds unread is ended, one that has read it may stay', async () => {
  const sockets: Socket[] = [];
  const { ended, ask } = await start((req, res) => {
    sockets.push(req.socket);
    res.end(SHORT);
  }, 300);
  const idle = await ask(KEEP);
  idle.read();
  const unread = await ask(KEEP);
  await until(() => sockets.length === 2 && sockets.every((socket) => socket.writableLength === 0), { what: 'both to be written' });
  await until(() => ended.length === 1, { what: 'the end of one' });
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true]);
  const since = performance.now();
  await until(() => performance.now() - since > 900, { what: 'further looks' });
  expect(sockets[0]?.destroyed).toBe(false);
  unread.destroy();
});

test.each([
  ['is ended when it acknowledges nothing, small responses in between or not', 0, true],
  ['is not ended when it acknowledges 64 kB in the time', 64 * 1024, false],
])('a client for which the system holds everything %s', async (_what, acknowledged, isEnded) => {
  let socket: Socket | undefined;
  let asked = 0;
  const { ended, ask } = await start(
    (req, res) => {
      socket = req.socket;
      res.end(req.url === '/small' ? 'small' : SHORT);
    },
    200,
    async () => {
      asked += 1;
      const read = asked * acknowledged;
      const written = socket?.bytesWritten ?? 0;
      return { of: () => written - read };
    },
  );
  const client = await ask(KEEP);
  client.read();
  const small = setInterval(() => client.write(KEEP.replace('/', '/small')), 20);
  try {
    await until(() => asked >= 4 || ended.length > 0, { what: 'looks at what is held' });
  } finally {
    clearInterval(small);
  }
  expect(ended).toHaveLength(isEnded ? 1 : 0);
});

test('a client is not ended for what the system holds where it does not report it', async () => {
  let asked = 0;
  const { ended, ask } = await start(
    (_req, res) => res.end(SHORT),
    100,
    async () => {
      asked += 1;
      return { of: () => undefined };
    },
  );
  await ask(KEEP);
  const since = performance.now();
  await until(() => asked > 0 && performance.now() - since > 500, { what: 'many looks' });
  expect(ended).toHaveLength(0);
});

test('a client that waits for its response is not ended', async () => {
  let response: (() => void) | undefined;
  const { ended, ask } = await start((_req, res) => {
    response = () => res.end('late');
  }, 50);
  const patient = await ask();
  const unread = await ask('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12');
  const since = performance.now();
  await until(() => performance.now() - since > 500, { what: 'many looks' });
  expect(ended).toEqual([]);
  response?.();
  patient.read();
  unread.destroy();
});

test('a large body is written as it is read, whatever it is given as, and arrives whole', async () => {
  const text = '€'.repeat(1_000_000);
  let waiting = 0;
  const { ask } = await start((req, res) => {
    if (req.url === '/text') res.end(text);
    else res.end(CONTENT);
    waiting = res.writableLength;
  }, 60_000);
  const bytes = await ask();
  await until(() => waiting > 0, { what: 'the first part to be written' });
  expect(waiting).toBeLessThan(2 * MAX_WRITE_BYTES);
  const received: Buffer[] = [];
  bytes.read(Number.POSITIVE_INFINITY, (chunk) => received.push(chunk));
  await until(() => bytes.closed, { what: 'the end of the content' });
  const whole = Buffer.concat(received);
  expect(whole.toString('latin1', 0, 500)).toContain(`Content-Length: ${CONTENT.length}\r\n`);
  expect(whole.subarray(whole.indexOf('\r\n\r\n') + 4).equals(CONTENT)).toBe(true);
  const asText = await ask(GET.replace('/', '/text'));
  const parts: Buffer[] = [];
  asText.read(Number.POSITIVE_INFINITY, (chunk) => parts.push(chunk));
  await until(() => asText.closed, { what: 'the end of the text' });
  expect(Buffer.concat(parts).toString('utf8').endsWith(`\r\n\r\n${text}`)).toBe(true);
});

test('the end of a large body is reported, and HEAD has none', async () => {
  let reported = 0;
  const { ask } = await start((_req, res) => {
    res.end(CONTENT, () => {
      reported += 1;
    });
  }, 60_000);
  const head = await ask(GET.replace('GET', 'HEAD'));
  head.read();
  await until(() => head.closed, { what: 'the response to HEAD' });
  expect(head.received).toBeLessThan(1000);
  const get = await ask();
  get.read();
  await until(() => get.closed && reported === 2, { what: 'both ends' });
});
