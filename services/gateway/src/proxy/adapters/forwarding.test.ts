import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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

describe('a deprecated route', () => {
  const deprecation = { since: '2026-11-01', sunset: '2028-11-01', link: 'https://docs.example.com/v2' };

  test('says so in every response, success or failure; others say nothing', async () => {
    const planted = { id: 'planted', method: 'GET', path: '/open/v1/planted', service: 'forecast', access: 'tenant' } as const;
    gateway = await startGateway(echo, { ownRoutes: [{ ...planted, scopes: [], rateClass: 'standard', deprecated: deprecation }] });
    const { key } = await gateway.issue();
    const expected = {
      deprecation: '@1793491200',
      sunset: 'Wed, 01 Nov 2028 00:00:00 GMT',
      link: '<https://docs.example.com/v2>; rel="deprecation"',
    };
    expect(await gateway.call('/open/v1/planted', { key })).toMatchObject({ status: 200, headers: expected });
    expect(await gateway.call('/open/v1/planted')).toMatchObject({ status: 401, headers: expected });
    const other = await gateway.call(weighing, { key });
    for (const name of Object.keys(expected)) expect(other.headers[name]).toBeUndefined();
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
