import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'undici';
import { followConnections } from './follow-connections.ts';
import { CLIENT_IDLE_MS, clientKeepAlive, DRAIN_IDLE_MS } from './keep-alive.ts';
import { listen } from './server.ts';

/** Long enough that a test on a slow machine does what it has to within it. */
const IDLE_MS = 1000;
/** Far beyond the time that a test has: a drain that waits for it fails. */
const DEADLINE_MS = 600_000;

let server: Server;
let connections: ReturnType<typeof followConnections>;
let port: number;
let agent: Agent;
/** Responses that are held back, by path. */
let held: Map<string, ServerResponse>;

beforeEach(async () => {
  held = new Map();
  server = createServer((req, res) => {
    if (req.url?.startsWith('/hold')) held.set(req.url, res);
    else res.end('done');
    if (req.url === '/hold/body') res.write('first');
  });
  server.keepAliveTimeout = 75_000;
  connections = followConnections(server, IDLE_MS);
  port = await listen(server, '127.0.0.1', 0);
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(async () => {
  agent.destroy();
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
});

/** Asks over the one connection of the agent. */
async function ask(path = '/'): Promise<{ connection: string | undefined; reused: boolean; socket: Socket; text: string }> {
  const asked = request({ port, path, agent }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const { socket, headers } = response;
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { connection: headers.connection, reused: asked.reusedSocket, socket, text };
}

async function untilHeld(path: string): Promise<ServerResponse> {
  while (!held.has(path)) await once(server, 'request');
  return held.get(path) as ServerResponse;
}

test('a response ends its connection after closeAfterResponses(), and the server still accepts new ones', async () => {
  expect((await ask()).connection).toBe('keep-alive');
  connections.closeAfterResponses();
  expect((await ask()).connection).toBe('close');
  expect((await ask()).connection).toBe('close');
});

test('an idle connection stays open in a drain for a request that is on its way', async () => {
  await ask();
  const drained = connections.drain(DEADLINE_MS);
  // Far longer than a request is on its way; shorter than a connection may be idle.
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS / 2));
  expect(await ask()).toMatchObject({ reused: true, connection: 'close' });
  await drained;
});

test('a connection that has been idle for long is closed at once', async () => {
  const { socket } = await ask();
  const ended = once(socket, 'close');
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS + 50));
  const startedAt = performance.now();
  await Promise.all([connections.drain(DEADLINE_MS), ended]);
  expect(performance.now() - startedAt).toBeLessThan(IDLE_MS);
});

test('a request under way is finished, with the end of its connection', async () => {
  const asked = ask('/hold');
  const res = await untilHeld('/hold');
  const drained = connections.drain(DEADLINE_MS);
  // Longer than a connection may be idle: this one is not.
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS + 200));
  res.end('late');
  expect(await asked).toMatchObject({ connection: 'close', text: 'late' });
  await drained;
});

test('after a response that had begun, a connection has its time to be idle', async () => {
  const asked = ask('/hold/body');
  const res = await untilHeld('/hold/body');
  const drained = connections.drain(DEADLINE_MS);
  res.end(' and last');
  expect((await asked).text).toBe('first and last');
  expect(await ask()).toMatchObject({ reused: true, connection: 'close' });
  await drained;
});

test('what still runs at the deadline is cut off', async () => {
  const asked = ask('/hold');
  await untilHeld('/hold');
  const cut = expect(asked).rejects.toThrow('socket hang up');
  await connections.drain(200);
  await cut;
});

test('clients of services close idle connections before a server does, whatever the server announces', async () => {
  expect(CLIENT_IDLE_MS).toBeLessThan(DRAIN_IDLE_MS);
  const client = new Client(`http://127.0.0.1:${port}`, clientKeepAlive);
  try {
    const response = await client.request({ method: 'GET', path: '/' });
    await response.body.dump();
    expect(response.headers['keep-alive']).toBe('timeout=75');
    const startedAt = performance.now();
    await once(client, 'disconnect');
    expect(performance.now() - startedAt).toBeLessThan(DRAIN_IDLE_MS);
  } finally {
    await client.destroy();
  }
});
