import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { UnreadClient } from '@parcelway/harness/unread-client';
import { MAX_WRITE_BYTES, presetPrototypes } from '@parcelway/http/app-prototypes';
import { endStalledConnections, type StallOptions } from '@parcelway/http/end-stalled-connections';
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

// Elsewhere the system does not report what it holds for a client.
const onLinux = process.platform === 'linux' ? test : test.skip;

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
