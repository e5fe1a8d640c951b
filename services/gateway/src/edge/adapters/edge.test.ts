import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { requestIdOf } from '@parcelway/http/app';
import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import { type CallOptions, echo, startGateway, type TestGateway } from '../../testing/harness.ts';

interface Echoed {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

let gateway: TestGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

const weighing = '/open/v1/forecasts/weighing?po_number=PO%201';

async function codeOf(path: string, options: CallOptions = {}): Promise<string> {
  const response = await gateway.call(path, options);
  expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  return `${response.status} ${response.json.code}`;
}

describe('a deprecated route', () => {
  const deprecation = { since: '2026-11-01', sunset: '2028-11-01', link: 'https://docs.example.com/v2' };

  test('says so in every response, success or failure; others say nothing', async () => {
    const planted = { id: 'planted', method: 'GET', path: '/open/v1/planted', service: 'forecast', access: 'tenant' } as const;
    gateway = await startGateway(echo, { ownRoutes: [{ ...planted, scopes: [], rateClass: 'standard', deprecated: deprecation }] });
    const { key } = await gateway.issue();
    const told = {
      deprecation: '@1793491200',
      sunset: 'Wed, 01 Nov 2028 00:00:00 GMT',
      link: '<https://docs.example.com/v2>; rel="deprecation"',
    };
    expect(await gateway.call('/open/v1/planted', { key })).toMatchObject({ status: 200, headers: told });
    expect(await gateway.call('/open/v1/planted')).toMatchObject({ status: 401, headers: told });
    const other = await gateway.call(weighing, { key });
    for (const name of Object.keys(told)) expect(other.headers[name]).toBeUndefined();
  });
});

describe('forwarding', () => {
  beforeEach(async () => {
    gateway = await startGateway(echo);
  });

  test('passes an authenticated GET on to the service and its response back', async () => {
    const { key, record } = await gateway.issue();
    const response = await gateway.call(weighing, { key });
    expect(response.status).toBe(200);
    const data = response.json.data as unknown as Echoed;
    expect(data.url).toBe(weighing);
    const principal = gateway.verifier.verify(data.headers['x-parcelway-principal']);
    expect(principal).toMatchObject({ kind: 'tenant', tenantId: 'tnt_1', keyId: record.keyId, environment: 'sandbox' });
    expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
    expect(response.headers['x-request-id']).toBe(data.headers['x-request-id']);
    expect(response.headers).toMatchObject({
      'ratelimit-limit': '200',
      'ratelimit-remaining': '199',
      'ratelimit-reset': '7',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    });
  });

  test('passes a JSON body on byte by byte, known or unknown in length', async () => {
    const { key } = await gateway.issue();
    const body = '{"po_number": "采购 1"  }';
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const known = (await gateway.call('/open/v1/forecasts', { method: 'POST', key, headers, body })).json.data as unknown as Echoed;
    expect(known).toMatchObject({ body, method: 'POST' });
    expect(known.headers['content-length']).toBe(String(Buffer.byteLength(body)));
    const chunked = (await gateway.call('/open/v1/forecasts', { method: 'POST', key, headers, chunks: [body.slice(0, 9), body.slice(9)] }))
      .json.data as unknown as Echoed;
    expect(chunked).toMatchObject({ body });
    expect(chunked.headers['transfer-encoding']).toBe('chunked');
  });

  test('a call without a body needs none', async () => {
    const { key } = await gateway.issue();
    const cancelled = (await gateway.call('/open/v1/forecasts/PO-1/cancel', { method: 'POST', key })).json.data as unknown as Echoed;
    expect(cancelled).toMatchObject({ body: '', url: '/open/v1/forecasts/PO-1/cancel' });
    const deleted = (await gateway.call('/open/v1/webhook-endpoints/we_1', { method: 'DELETE', key })).json.data as unknown as Echoed;
    expect(deleted).toMatchObject({ method: 'DELETE' });
  });

  test('keeps keys, cookies, forged principals and headers of the connection to itself', async () => {
    const { key, record } = await gateway.issue();
    const response = await gateway.call(weighing, {
      key,
      headers: {
        'x-parcelway-principal': 'forged',
        cookie: 'a=b',
        te: 'trailers',
        'x-forwarded-for': '1.2.3.4',
        'proxy-authorization': 'x',
      },
    });
    const { headers } = response.json.data as unknown as Echoed;
    for (const name of ['x-api-key', 'cookie', 'te', 'x-forwarded-for', 'proxy-authorization']) expect(headers[name]).toBeUndefined();
    expect(gateway.verifier.verify(headers['x-parcelway-principal']).keyId).toBe(record.keyId);
    // The service's own headers of this kind end at the gateway too.
    expect(response.headers['x-powered-by']).toBeUndefined();
    expect(response.headers['x-service']).toBe('echo');
  });

  test('takes a plain request id from the client and replaces any other', async () => {
    const { key } = await gateway.issue();
    const given = await gateway.call(weighing, { key, headers: { 'x-request-id': 'my-id.1' } });
    expect(given.headers['x-request-id']).toBe('my-id.1');
    for (const bad of ['with space', 'x'.repeat(65), '<script>']) {
      const replaced = await gateway.call(weighing, { key, headers: { 'x-request-id': bad } });
      expect(replaced.headers['x-request-id']).toMatch(/^req_/);
    }
  });

  test('tells caches to store nothing, unless the service says otherwise', async () => {
    const { key } = await gateway.issue();
    const store = async (path: string, options: CallOptions = {}): Promise<unknown> =>
      (await gateway.call(path, options)).headers['cache-control'];
    expect(await store(weighing, { key })).toBe('no-store');
    expect(await store(weighing)).toBe('no-store');
    expect(await store('/open/v1/nothing', { key })).toBe('no-store');
    expect(await store('/files/a?cache', {})).toBe('private, immutable');
    expect(await gateway.raw('nonsense\r\n\r\n')).toContain('Cache-Control: no-store');
  });

  test('opens files without a key, for GET and HEAD, without rate headers', async () => {
    const got = await gateway.call('/files/abc.pdf');
    expect(got.status).toBe(200);
    expect(got.headers['ratelimit-limit']).toBeUndefined();
    expect(gateway.verifier.verify((got.json.data as unknown as Echoed).headers['x-parcelway-principal']).kind).toBe('system');
    const head = await gateway.call('/files/abc.pdf', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(Number(head.headers['content-length'])).toBeGreaterThan(10);
  });

  test('takes a target in absolute form, and no fragment', async () => {
    const { key } = await gateway.issue();
    const ask = (target: string): Promise<string> =>
      gateway.raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`);
    expect(await ask(`https://elsewhere${weighing}`)).toContain(`"url":"${weighing}"`);
    expect(await ask('/open/v1/forecasts/a#b')).toContain('"code":"40402"');
    expect(await ask('ftp://x/open/v1/forecasts/a')).toContain('"code":"40402"');
  });
});

describe('the order of checks', () => {
  beforeEach(async () => {
    gateway = await startGateway(echo);
  });

  test('route and method come before the key', async () => {
    expect(await codeOf('/open/v1/nothing')).toBe('404 40402');
    expect(await codeOf('/internal/v1/warehouses')).toBe('404 40402');
    expect(await codeOf('/open/v1/forecasts/')).toBe('404 40402');
    const wrong = await gateway.call('/open/v1/forecasts', { method: 'DELETE' });
    expect(wrong).toMatchObject({ status: 405, json: { code: '40501', data: null } });
    expect(wrong.headers['allow']).toBe('GET, POST');
    expect((await gateway.call('/files/a', { method: 'POST' })).headers['allow']).toBe('GET, HEAD');
    expect(await codeOf('/open/v1/forecasts/weighing', { method: 'OPTIONS' })).toBe('405 40501');
  });

  test('then the key itself', async () => {
    const { key } = await gateway.issue();
    expect(await codeOf(weighing)).toBe('401 40101');
    expect(await codeOf(weighing, { headers: { 'x-api-key': '' } })).toBe('401 40101');
    expect(await codeOf(weighing, { key: 'nonsense' })).toBe('401 40003');
    expect(await codeOf(weighing, { key: `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}` })).toBe('401 40003');
    expect(await codeOf(weighing, { key: key.replace('pf_test_', 'pf_live_') })).toBe('401 40003');
    const twice = await gateway.raw(
      `GET ${weighing} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`,
    );
    expect(twice).toContain('"code":"40003"');
  });

  test.each([
    ['before', (key: string) => `X-Api-Key:\r\nX-Api-Key: ${key}`],
    ['behind', (key: string) => `X-Api-Key: ${key}\r\nX-Api-Key:`],
  ])('an empty key %s a good one is one key too many', async (_where, keys) => {
    const { key } = await gateway.issue();
    const twice = await gateway.raw(`GET ${weighing} HTTP/1.1\r\nHost: x\r\n${keys(key)}\r\nConnection: close\r\n\r\n`);
    expect(twice).toContain('"code":"40003"');
  });

  test('bytes that are no UTF-8 are refused behind the key and before the service', async () => {
    const { key } = await gateway.issue();
    const refused = [
      ['/open/v1/forecasts/weighing?po_number=%ff', 'po_number'],
      ['/open/v1/forecasts/weighing?a=b&po_number=100%', 'po_number'],
      ['/open/v1/forecasts?%c3%28=x', '%c3%28'],
      ['/open/v1/forecasts/%ff', 'po_number'],
      ['/open/v1/webhook-endpoints/%ed%a0%80/deliveries', 'endpoint_id'],
      ['/files/%zz', 'name'],
    ] as const;
    for (const [path, field] of refused) {
      expect([path, (await gateway.call(path, { key })).json]).toMatchObject([path, { code: '42201', data: { errors: [{ field }] } }]);
    }
    expect(await codeOf('/open/v1/forecasts/%ff')).toBe('401 40101');
    expect(await codeOf('/open/v1/forecasts/%E9%87%87%25', { key })).toBe('200 0');
  });

  test('an expired key, a suspended tenant, a missing scope and the wrong holder, in this order', async () => {
    const expired = await gateway.issue({ expiresInSeconds: 0, scopes: ['files:write'] });
    expect(await codeOf(weighing, { key: expired.key })).toBe('401 40003');
    const narrow = await gateway.issue({ scopes: ['files:write'] });
    expect(await codeOf(weighing, { key: narrow.key })).toBe('403 40301');
    const warehouse = await gateway.issue({ holder: { kind: 'warehouse', warehouseCode: 'W1' } });
    expect(await codeOf(weighing, { key: warehouse.key })).toBe('403 40301');
    expect(await codeOf('/open/v1/warehouses', { key: warehouse.key })).toBe('403 40301');
    expect(await codeOf('/warehouse/v1/events', { key: warehouse.key, method: 'POST' })).toBe('200 0');
    expect(await codeOf('/warehouse/v1/events', { key: narrow.key, method: 'POST' })).toBe('403 40301');
    await gateway.stores.tenants.setStatus('tnt_1', 'suspended');
    gateway.gateway.keyRing.forgetTenant('tnt_1');
    expect(await codeOf(weighing, { key: narrow.key })).toBe('403 40302');
    expect(await codeOf(weighing, { key: expired.key })).toBe('401 40003');
  });

  test('one of several scopes is enough', async () => {
    const either = await gateway.issue({ scopes: ['weighing:read'] });
    expect(await codeOf('/open/v1/forecasts', { key: either.key })).toBe('200 0');
    expect(await codeOf('/open/v1/forecasts', { key: either.key, method: 'POST' })).toBe('403 40301');
  });

  test('the rate comes after the permission and says how long to wait', async () => {
    const { key } = await gateway.issue({ rateLimit: { perSecond: 1, burst: 2 }, scopes: ['weighing:read'] });
    expect(await codeOf('/open/v1/forecasts', { key, method: 'POST' })).toBe('403 40301');
    expect((await gateway.call(weighing, { key })).headers['ratelimit-remaining']).toBe('1');
    expect((await gateway.call(weighing, { key })).headers['ratelimit-remaining']).toBe('0');
    const limited = await gateway.call(weighing, { key });
    expect(limited).toMatchObject({ status: 429, json: { code: '42901', data: { limit: 2, retry_after_seconds: 3 } } });
    expect(limited.headers).toMatchObject({ 'retry-after': '3', 'ratelimit-remaining': '0', 'ratelimit-limit': '2' });
    const unlimited = await gateway.issue({ rateLimit: 'off' });
    expect((await gateway.call(weighing, { key: unlimited.key })).headers['ratelimit-limit']).toBeUndefined();
  });

  test('uploads and tracking queries have buckets of their own', async () => {
    const { key } = await gateway.issue();
    expect((await gateway.call('/open/v1/files/pdf', { key, method: 'POST' })).headers['ratelimit-limit']).toBe('50');
    expect((await gateway.call('/open/v1/forecasts/tracking', { key })).headers['ratelimit-limit']).toBe('100');
  });
});

describe('environments and limits of the address', () => {
  test('the simulation route exists in the sandbox only', async () => {
    gateway = await startGateway(echo, { environment: 'production' });
    expect(await codeOf('/sandbox/v1/simulations', { method: 'POST' })).toBe('404 40402');
    const { key } = await gateway.issue();
    expect(key).toMatch(/^pf_live_/);
    expect(await codeOf(weighing, { key })).toBe('200 0');
    expect(await codeOf(weighing, { key: key.replace('pf_live_', 'pf_test_') })).toBe('401 40003');
  });

  test('an address that keeps presenting wrong keys is slowed down, a good key from there is not', async () => {
    gateway = await startGateway(echo);
    const { key } = await gateway.issue();
    expect(await codeOf(weighing, { key })).toBe('200 0');
    const codes = new Set<string>();
    for (let attempt = 0; attempt < 130; attempt += 1) codes.add(await codeOf(weighing, { key: `guess-${attempt}` }));
    expect([...codes]).toEqual(['401 40003', '429 42901']);
    expect(await codeOf(weighing, { key })).toBe('200 0');
    const unseen = await gateway.issue();
    expect(await codeOf(weighing, { key: unseen.key })).toBe('200 0');
    expect(await codeOf(weighing, { key: 'guess' })).toBe('429 42901');
  });

  test('a service that cannot be reached is 50301 with Retry-After', async () => {
    gateway = await startGateway(echo, { originOf: () => 'http://127.0.0.1:1' });
    const { key } = await gateway.issue();
    const response = await gateway.call(weighing, { key });
    expect(response).toMatchObject({ status: 503, json: { code: '50301', data: null } });
    expect(response.headers['retry-after']).toBe('1');
  });

  test('a store that is out is 50301, not a wrong key', async () => {
    const findByHash = async (): Promise<never> => {
      throw AppError.unavailable('The store is out');
    };
    gateway = await startGateway(echo, { keys: { findByHash, recordUse: async () => undefined } });
    const { key } = await gateway.issue();
    expect(await codeOf(weighing, { key })).toBe('503 50301');
  });

  test('a service that stays silent is 50301 at the deadline', async () => {
    gateway = await startGateway((_req: IncomingMessage, _res: ServerResponse) => undefined, { upstreamTimeoutMs: 100 });
    const { key } = await gateway.issue();
    expect(await codeOf(weighing, { key })).toBe('503 50301');
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
    expect(known).toContain(JSON.stringify(next));
    const chunked = await gateway.raw(`${head}Transfer-Encoding: chunked\r\n\r\n${next.length.toString(16)}\r\n${next}\r\n0\r\n\r\n`);
    expect(chunked).toContain(JSON.stringify(next));
    expect(seen).toEqual(['/open/v1/forecasts', '/open/v1/forecasts']);
  });

  test('is the last of its connection: the body of a request that was lost with it is none', async () => {
    const lost = `POST /open/v1/forecasts HTTP/1.1\r\nHost: x\r\nContent-Length: ${next.length}\r\n\r\n`;
    const socket = connect({ port: gateway.port, host: '127.0.0.1', servername: 'localhost', ca: gateway.tls?.cert });
    const closed = once(socket.resume(), 'close');
    // The second write comes while the first request waits for its service.
    gateway.upstream.once('request', () => socket.write(next));
    socket.write(`GET /files/a HTTP/1.1\r\n${upgrade('h2c')}\r\n${lost}`);
    await closed;
    expect(seen).toEqual(['/files/a']);
  });
});

test('a route that the gateway responds itself sees the request id that the client is told', async () => {
  const path = '/own';
  const own = { id: 'own', method: 'GET', path, service: 'gateway', access: 'public', scopes: [], rateClass: 'standard' } as const;
  gateway = await startGateway(echo, {
    ownRoutes: [own],
    respondHere: (router) => void router.get(path, (req, res) => sendOk(res, { seen: requestIdOf(req) })),
  });
  const given: readonly Record<string, string>[] = [{}, { 'x-request-id': 'not a "token"' }, { 'x-request-id': 'mine-1' }];
  for (const headers of given) {
    const response = await gateway.call(path, { headers });
    expect(response.json.data).toEqual({ seen: response.headers['x-request-id'] });
  }
});
