import { type IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { until } from '@parcelway/kernel/testing/until';
import { type CallOptions, echo, remoteServicesAt, startGateway, type TestGateway } from '../../testing/harness.ts';

let gateway: TestGateway;

const weighing = '/open/v1/forecasts/weighing?po_number=PO%201';

async function codeOf(path: string, options: CallOptions = {}): Promise<string> {
  const response = await gateway.call(path, options);
  expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  return `${response.status} ${response.json.code}`;
}

test('internal paths do not exist, and a wrong method gets an Allow header', async () => {
  gateway = await startGateway(echo);
  expect(await codeOf('/internal/v1/warehouses')).toBe('404 40402');
  const wrong = await gateway.call('/open/v1/forecasts', { method: 'DELETE' });
  expect(wrong).toMatchObject({ status: 405, json: { code: '40501', data: null }, headers: { allow: 'GET, POST' } });
});

test('the rate comes after the permission and says how long to wait', async () => {
  gateway = await startGateway(echo);
  const { key } = await gateway.issue({ rateLimit: { perSecond: 1, burst: 2 }, scopes: ['weighing:read'] });
  expect(await codeOf('/open/v1/forecasts', { key, method: 'POST' })).toBe('403 40301');
  for (const left of ['1', '0']) expect((await gateway.call(weighing, { key })).headers['ratelimit-remaining']).toBe(left);
  const limited = await gateway.call(weighing, { key });
  expect(limited).toMatchObject({ status: 429, json: { code: '42901', data: { limit: 2, retry_after_seconds: 1 } } });
  expect(limited.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-remaining': '0', 'ratelimit-limit': '2' });
  const unlimited = await gateway.issue({ rateLimit: 'off' });
  expect((await gateway.call(weighing, { key: unlimited.key })).headers['ratelimit-limit']).toBeUndefined();
});

test('a response that cannot be written is a failure, and the next one is written', async () => {
  gateway = await startGateway(echo);
  const { key } = await gateway.issue();
  const { writeHead } = ServerResponse.prototype;
  let isBroken = true;
  const spy = jest.spyOn(ServerResponse.prototype, 'writeHead').mockImplementation(function (this: ServerResponse, ...head) {
    const isOurs = this.socket?.localPort === gateway.port;
    if (isOurs && isBroken) {
      isBroken = false;
      throw new TypeError('Invalid character in header content');
    }
    return writeHead.apply(this, head as Parameters<typeof writeHead>);
  });
  try {
    expect(await codeOf(weighing, { key })).toBe('503 50301');
    expect((await gateway.call(weighing, { key })).status).toBe(200);
  } finally {
    spy.mockRestore();
  }
});

describe('what is out', () => {
  test('a service that cannot be reached is 50301 with Retry-After', async () => {
    gateway = await startGateway(echo, { otherServices: remoteServicesAt(() => 1) });
    const { key } = await gateway.issue();
    const response = await gateway.call(weighing, { key });
    expect(response).toMatchObject({ status: 503, json: { code: '50301', data: null } });
    expect(response.headers['retry-after']).toBe('1');
  });

  test('a service that cannot be reached is left alone, and asked again when it is back', async () => {
    let reached = 0;
    let isOut = false;
    gateway = await startGateway((req, res) => {
      reached += 1;
      if (isOut) req.socket.destroy();
      else res.writeHead(reached <= 20 ? 500 : 200).end('{}');
    });
    const { key } = await gateway.issue();
    const call = () => gateway.call('/open/v1/forecasts', { key, method: 'POST', body: '{}' });
    // A service that responds is not out, whatever it says.
    for (let count = 0; count < 20; count += 1) expect((await call()).status).toBe(500);
    isOut = true;
    const isRefused = async () => {
      const before = reached;
      expect(await call()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      // No request is repeated: the service may have heard it.
      expect(reached - before).toBeLessThanOrEqual(1);
      return reached === before;
    };
    await until(isRefused, { what: 'the circuit to open' });
    isOut = false;
    await until(async () => (await call()).status === 200, { what: 'the recovery' });
  });

  test('a store that is out is 50301, not a wrong key', async () => {
    const findByHash = async (): Promise<never> => {
      throw AppError.unavailable('The store is out');
    };
    gateway = await startGateway(echo, { keys: { findByHash } });
    const { key } = await gateway.issue();
    expect(await codeOf(weighing, { key })).toBe('503 50301');
  });

  test('a service that is silent is out at once, but for what takes its time', async () => {
    let held: ServerResponse[] = [];
    const upstream = (_req: IncomingMessage, res: ServerResponse) => void held.push(res);
    gateway = await startGateway(upstream, { upstreamSilenceMs: 100, upstreamTimeoutMs: 20_000 });
    const { key } = await gateway.issue();
    const tracking = gateway.call('/open/v1/forecasts/tracking?po_number=PO-1', { key });
    const upload = gateway.call('/open/v1/files/pdf', {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/pdf' },
      body: 'content',
    });
    await until(() => held.length === 2, { what: 'both at the service' });
    const slow = held;
    held = [];
    const { status, headers, json } = await gateway.call(weighing, { key });
    expect([status, json.code, headers['retry-after']]).toEqual([503, '50301', '1']);
    for (const res of slow) res.end('{}');
    expect((await Promise.all([tracking, upload])).map((response) => response.status)).toEqual([200, 200]);
  });
});

interface Echoed {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

test('a deprecated route says so in every response, success or failure; others say nothing', async () => {
  const deprecated = { since: '2026-11-01', sunset: '2028-11-01', link: 'https://docs.example.com/v2' };
  const planted = { id: 'planted', method: 'GET', path: '/open/v1/planted', service: 'forecast', access: 'tenant' } as const;
  gateway = await startGateway(echo, { ownRoutes: [{ ...planted, scopes: [], rateClass: 'standard', deprecated }] });
  const { key } = await gateway.issue();
  for (const response of [await gateway.call('/open/v1/planted', { key }), await gateway.call('/open/v1/planted')])
    expect(response.headers).toMatchObject({ deprecation: '@1793491200', sunset: 'Wed, 01 Nov 2028 00:00:00 GMT' });
  expect((await gateway.call(weighing, { key })).headers).not.toHaveProperty('deprecation');
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
      'ratelimit-reset': '1',
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

  test('asks caches to store nothing, unless the service says otherwise', async () => {
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

const PATH = '/carriers/v1/ups/con_1';
const BODY = '{"trackingNumber": "1Z12345E0205271688"  }';

describe('the route of pushes', () => {
  beforeEach(async () => {
    gateway = await startGateway(echo);
  });

  const arrived = async (more: Record<string, string> = {}): Promise<Echoed> => {
    const headers = { 'content-type': 'application/json', ...more };
    return (await gateway.call(PATH, { method: 'POST', body: BODY, headers })).json.data as unknown as Echoed;
  };

  test('needs no key, and passes body and signature on as they came', async () => {
    const { url, headers, body } = await arrived({ 'x-hmac-signature': 'hmac-sha256-hex=00', sign: 'ab' });
    expect({ url, body }).toEqual({ url: PATH, body: BODY });
    expect(headers).toMatchObject({ 'x-hmac-signature': 'hmac-sha256-hex=00', sign: 'ab' });
    expect(headers).not.toHaveProperty('x-api-key');
  });

  test('acts for nobody, whoever the push says that it is, and passes on a secret in X-Api-Key, which is none of our keys', async () => {
    const { key } = await gateway.issue();
    for (const secret of [key, 'secret-of-a-connection']) {
      const { headers } = await arrived({ 'x-parcelway-principal': 'forged', 'x-api-key': secret });
      expect(gateway.verifier.verify(headers['x-parcelway-principal'])).toMatchObject({ kind: 'system', tenantId: null, scopes: [] });
      expect(headers['x-api-key']).toBe(secret);
    }
  });

  test('passes on none of two secrets', async () => {
    const head = [`POST ${PATH} HTTP/1.1`, 'Host: x', 'X-Api-Key: one', 'X-Api-Key: two', 'Content-Length: 2', 'Connection: close'];
    const response = await gateway.raw(`${head.join('\r\n')}\r\n\r\n{}`);
    expect(response).toContain(`"url":"${PATH}"`);
    expect(response).not.toContain('"x-api-key"');
  });
});
