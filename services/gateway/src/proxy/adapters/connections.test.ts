import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { FairShares } from '@parcelway/kernel/fair-shares';
import { until } from '@parcelway/kernel/testing/until';
import { createTenant } from '../../tenants/tenants.ts';
import { dial, echo, noting, startGateway, type TestGateway, type TestResponse } from '../../testing/harness.ts';
import { upstreamLimits } from '../domain/client-shares.ts';
import { MAX_PIPELINED } from './in-turn.ts';

let gateway: TestGateway;

async function open(from?: string): Promise<Socket> {
  const socket = dial(gateway, from);
  await once(socket, 'connect');
  return socket;
}

describe('connections of one address', () => {
  test('are refused beyond the limit, and taken again once one has ended; others are not affected', async () => {
    const { lines, logger } = noting();
    gateway = await startGateway(echo, { maxConnectionsPerAddress: 3, logger });
    const three = [await open(), await open(), await open()];
    const openNow = (): number => [...gateway.serverSockets].filter(({ destroyed }) => !destroyed).length;
    await until(() => openNow() === 3, { what: 'the three' });
    // Whether it hears of its connection before it hears of its end is left to the system.
    const fourth = dial(gateway);
    await until(() => fourth.destroyed, { what: 'the end of the fourth' });
    expect(lines).toEqual([{ limit: 'connections', client: '127.0.0.1', times: 1 }]);
    const other = await open('127.0.0.2');
    await until(() => openNow() === 4, { what: 'the one of another address' });
    expect(other.destroyed).toBe(false);
    three[0]?.destroy();
    const { key } = await gateway.issue();
    const again = await until(() => gateway.call('/open/v1/forecasts', { key }).catch(() => undefined), { what: 'room' });
    expect(again.status).toBe(200);
  });

  test('are not limited behind a proxy: they are all the proxy’s', async () => {
    gateway = await startGateway(echo, { maxConnectionsPerAddress: 1, clear: true });
    await open();
    const { key } = await gateway.issue();
    expect((await gateway.call('/open/v1/forecasts', { key, headers: { 'x-forwarded-proto': 'https' } })).status).toBe(200);
  });
});

describe('requests on one connection', () => {
  const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\n${more}\r\n`;

  test('are handled one after the other', async () => {
    const order: string[] = [];
    let underWay = 0;
    let most = 0;
    gateway = await startGateway(
      (req, res) => {
        order.push(String(req.url));
        underWay += 1;
        most = Math.max(most, underWay);
        setImmediate(() => {
          underWay -= 1;
          res.end('ok');
        });
      },
      { clear: true },
    );
    const paths = Array.from({ length: 50 }, (_, index) => `/files/${index}`);
    const text = paths.map((path) => get(path)).join('') + get('/files/last', 'Connection: close\r\n');
    const responses = await gateway.raw(text, { clear: true });
    expect(responses.match(/HTTP\/1\.1 200/g)).toHaveLength(51);
    expect(order).toEqual([...paths, '/files/last']);
    expect(most).toBe(1);
  });

  test('that are too many end it', async () => {
    const { lines, logger } = noting();
    gateway = await startGateway(() => undefined, { clear: true, logger });
    const socket = await open();
    socket.write(get('/files/a').repeat(MAX_PIPELINED + 2));
    socket.resume();
    await until(() => socket.destroyed, { what: 'its end' });
    expect(lines).toEqual([{ limit: 'pipelined_requests', client: expect.stringContaining('127.0.0.1'), times: 1 }]);
  });
});

describe('a request with Upgrade', () => {
  const next = 'GET /files/next HTTP/1.1\r\nHost: x\r\n\r\n';
  const upgrade = (protocol: string): string => `Host: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
  const seen: string[] = [];
  beforeEach(async () => {
    seen.length = 0;
    gateway = await startGateway((req, res) => {
      seen.push(req.url as string);
      echo(req, res);
    });
  });

  test.each(['h2c', 'websocket', 'TLS/1.0, anything'])('to %s is handled as if it had none, and ends its connection', async (protocol) => {
    const response = await gateway.raw(`GET /files/a HTTP/1.1\r\n${upgrade(protocol)}\r\n${next}`);
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(response).toMatch(/Connection: close/i);
    expect(seen).toEqual(['/files/a']);
  });

  test('has its body read as one, known or unknown in length', async () => {
    const { key } = await gateway.issue();
    const head = `POST /open/v1/forecasts HTTP/1.1\r\n${upgrade('h2c')}X-Api-Key: ${key}\r\n`;
    const known = await gateway.raw(`${head}Content-Length: ${next.length}\r\n\r\n${next}`);
    const chunked = await gateway.raw(`${head}Transfer-Encoding: chunked\r\n\r\n${next.length.toString(16)}\r\n${next}\r\n0\r\n\r\n`);
    for (const response of [known, chunked]) expect(response).toContain(JSON.stringify(next));
    expect(seen).toEqual(['/open/v1/forecasts', '/open/v1/forecasts']);
  });

  test('is the last of its connection: the body of a request that was lost with it is none', async () => {
    const lost = `POST /open/v1/forecasts HTTP/1.1\r\nHost: x\r\nContent-Length: ${next.length}\r\n\r\n`;
    const socket = connectTls({ port: gateway.port, host: '127.0.0.1', servername: 'localhost', ca: gateway.tls?.cert });
    const closed = once(socket.resume(), 'close');
    // The second write comes while the first request waits for its service.
    gateway.upstream.once('request', () => socket.write(next));
    socket.write(`GET /files/a HTTP/1.1\r\n${upgrade('h2c')}\r\n${lost}`);
    await closed;
    expect(seen).toEqual(['/files/a']);
  });
});

/** Far beyond the time that a test has: a drain that waits for it fails. */
const DEADLINE_MS = 600_000;

describe('draining', () => {
  test('does not wait for connections on which nothing was ever asked', async () => {
    gateway = await startGateway(echo, { drainIdleMs: 500 });
    const silent = dial(gateway);
    const greeted = connectTls({ port: gateway.port, host: '127.0.0.1', servername: 'localhost', ca: gateway.tls?.cert });
    greeted.on('error', () => undefined);
    const ends = Promise.all([once(silent, 'close'), once(greeted, 'close')]);
    await Promise.all([once(silent, 'connect'), once(greeted, 'secureConnect')]);
    await gateway.gateway.drain(DEADLINE_MS);
    silent.resume();
    greeted.resume();
    await ends;
  });
});

const SLOW = '/open/v1/forecasts/SLOW';
const secure = { 'x-forwarded-proto': 'https' };

test('a tenant whose requests get no response from a service leaves connections to others, and gets an error when it has too many', async () => {
  let atService = 0;
  gateway = await startGateway(
    (req, res) => {
      if (req.url === SLOW) atService += 1;
      else echo(req, res);
    },
    // No request fails before all of them have been sent, on a slow machine too.
    { clear: true, limitRates: false, upstreamSilenceMs: 60_000, upstreamTimeoutMs: 60_000 },
  );
  const share = FairShares.mostOf(upstreamLimits.connections);
  const most = FairShares.mostOf(upstreamLimits.underWay);
  const keys = await Promise.all(Array.from({ length: 4 }, async () => (await gateway.issue()).key));
  const refused: TestResponse[] = [];
  const send = (key: string): void =>
    void gateway.call(SLOW, { key, headers: secure }).then(
      (response) => refused.push(response),
      () => undefined,
    );
  for (let index = 0; index < most + 5; index += 1) send(keys[index % keys.length] as string);
  await until(() => atService === share && refused.length === 5, { what: 'its share at the service, and the refusals', within: 20_000 });
  for (const { status, headers, json } of refused) {
    expect([status, json.code, headers['retry-after']]).toEqual([429, '42901', '1']);
    expect(json.message).toBe('Too many requests at the same time: wait until some of yours have ended');
  }

  const { tenantId } = await createTenant({ store: gateway.stores.store, clock: systemClock }, 'Other');
  const { key } = await gateway.issue({ holder: { kind: 'tenant', tenantId } });
  const responses = await Promise.all(Array.from({ length: 20 }, () => gateway.call('/open/v1/forecasts/PO-1', { key, headers: secure })));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(atService).toBe(share);
}, 60_000);
