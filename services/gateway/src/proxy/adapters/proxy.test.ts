import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { until } from '@parcelway/kernel/testing/until';
import { type CallOptions, echo, startGateway, type TestGateway } from '../../testing/harness.ts';

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
});

describe('environments and limits of the address', () => {
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
