import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import express from 'express';
import { pushRoutes } from './http-pushes.ts';

let server: Server;
let sockets: Socket[];
/** Pushes that have their turn: the connection of each, and what ends it. */
let running: Array<{ readonly connectionId: string; readonly end: () => void }>;

beforeEach(async () => {
  sockets = [];
  running = [];
  const app = express();
  pushRoutes(app, async ({ connectionId, body }) => {
    await body();
    await new Promise<void>((end) => running.push({ connectionId, end }));
    return 'OK';
  });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  endAll();
  await new Promise((resolve) => server.close(resolve));
});

function endAll(): void {
  for (const { end } of running.splice(0)) end();
}

/** Sends pushes, each over a socket of its own. @param body of the five bytes that are announced */
function push(connectionId: string, body: string, count: number): Socket[] {
  const sent = Array.from({ length: count }, () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    socket.write(`POST /carriers/v1/17track/${connectionId} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n${body}`);
    return socket;
  });
  sockets.push(...sent);
  return sent;
}

/** Resolves once `count` requests have reached the server. */
function requests(count: number): Promise<unknown> {
  let came = 0;
  return new Promise<void>((resolve) => server.on('request', () => ++came === count && resolve()));
}

test('waiting pushes whose clients disconnect leave their turns to others', async () => {
  const all = requests(60);
  const sent = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((connectionId) => push(connectionId, '12345', 10));
  await all;
  await until(() => running.length === 32);
  for (const socket of sent) socket.destroy();
  await until(async () => (await new Promise((resolve) => server.getConnections((_error, open) => resolve(open)))) === 0);
  endAll();
  push('g', '12345', 16);
  await until(() => running.filter(({ connectionId }) => connectionId === 'g').length === 16);
  expect(running).toHaveLength(16);
});

test('slow bodies do not delay pushes of another connection', async () => {
  const slow = requests(60);
  for (const connectionId of ['a', 'b', 'c', 'd', 'e', 'f']) push(connectionId, '12', 10);
  await slow;
  push('g', '12345', 1);
  await until(() => running.length === 1, { within: 2_000 });
  expect(running[0]).toMatchObject({ connectionId: 'g' });
});
