import { once } from 'node:events';
import { Agent, createServer, get, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { followHttp } from './follow-http.ts';
import { Tracer } from './tracer.ts';

const tracer = new Tracer();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let stopFollowing = () => {};
let servers: Server[] = [];

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function fetched(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent }, (response) => {
      tracer.enter('client.ts', 'onResponse');
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    }).once('error', reject);
  });
}

beforeEach(() => {
  stopFollowing = followHttp(tracer);
});

afterEach(async () => {
  stopFollowing();
  agent.destroy();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve).closeAllConnections())));
  servers = [];
});

test('a request that another server passes on stays one path, on a connection that is in use for long, too', async () => {
  const inner = await serve((_request, response) => {
    tracer.enter('inner.ts', 'respond');
    response.end();
  });
  const outer = await serve((_request, response) => {
    tracer.enter('outer.ts', 'pass');
    void fetched(inner).then((status) => {
      tracer.enter('outer.ts', 'passBack');
      response.writeHead(status).end();
    });
  });
  // Not followed: the request begins outside.
  const outside = async () => (await fetch(`http://127.0.0.1:${outer}/`)).status;
  for (let round = 0; round < 3; round += 1) {
    tracer.begin();
    expect(await outside()).toBe(200);
    const { calls } = tracer.end();
    expect(calls.map(({ name }) => name)).toEqual(['pass', 'respond', 'onResponse', 'passBack']);
    expect(calls.map(({ isOfRequest }) => isOfRequest)).toEqual([true, true, true, true]);
    const [pass, respond, onResponse, passBack] = calls.map(({ chain }) => chain);
    expect([onResponse, passBack]).toEqual([pass, pass]);
    expect(respond).not.toBe(pass);
  }
});
