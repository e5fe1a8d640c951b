import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { discardBody, isDiscarding } from './discard-body.ts';
import { listen } from './server.ts';

const MB = 1024 * 1024;

let server: Server;
let port: number;
let requests: IncomingMessage[];
const sockets: Socket[] = [];

beforeEach(async () => {
  requests = [];
  server = createServer((req, res) => {
    requests.push(req);
    if (req.url === '/refused') {
      res.setHeader('Connection', 'close');
      res.statusCode = 413;
    }
    res.end(req.url);
    discardBody(req);
  });
  port = await listen(server, '127.0.0.1', 0);
});
afterEach(async () => {
  jest.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function open(path: string, length: number): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  let text = '';
  return {
    socket,
    received: () => {
      text += String(socket.read() ?? '');
      return text;
    },
  };
}

/** Writes `size` bytes without reading. @returns false when the connection broke before all were taken */
async function push(socket: Socket, size: number): Promise<boolean> {
  const piece = Buffer.alloc(MB);
  for (let left = size; left > 0; left -= piece.length) {
    if (socket.destroyed) return false;
    // Called when the piece has been taken, and when the connection has broken.
    await new Promise((resolve) => socket.write(piece.subarray(0, Math.min(left, piece.length)), resolve));
  }
  return !socket.destroyed;
}

test('a client that writes 64 MB too much before it reads sees the response, and then the end', async () => {
  const { socket, received } = await open('/refused', 64 * MB);
  expect(await push(socket, 64 * MB)).toBe(true);
  await until(() => received().includes('/refused'), { what: 'the response' });
  await until(() => socket.destroyed || socket.readableEnded, { what: 'the end' });
});

test('a connection that stays open takes the next request', async () => {
  const { socket, received } = await open('/kept', 20 * MB);
  await push(socket, 20 * MB);
  socket.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => received().includes('/next'), { what: 'the response to the second request' });
});

test('a body that goes on is cut', async () => {
  const { socket } = await open('/refused', 500 * MB);
  expect(await push(socket, 500 * MB)).toBe(false);
});

test('a client that stops sending is cut', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setInterval', 'queueMicrotask', 'performance', 'Date', 'hrtime'] });
  const { socket } = await open('/refused', MB);
  while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const closed = once(socket.resume(), 'close');
  jest.advanceTimersByTime(4999);
  expect(requests[0]?.destroyed).toBe(false);
  expect(isDiscarding((requests[0] as IncomingMessage).socket)).toBe(true);
  jest.advanceTimersByTime(1);
  expect(requests[0]?.destroyed).toBe(true);
  await closed;
});

test('of more than 64 bodies at a time, the one that has had the most is cut', async () => {
  const greedy = await open('/refused', 70 * MB);
  await push(greedy.socket, 2 * MB);
  await until(() => requests.length === 1, { what: 'the first request' });
  for (let count = 0; count < 64; count += 1) await open('/refused', MB);
  await until(() => requests.length === 65 && requests[0]?.destroyed === true, { what: 'the end of the first' });
  expect(requests.filter(({ destroyed }) => destroyed)).toHaveLength(1);
});
