import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { principalOf } from '@parcelway/http/app';
import { sendFallback } from '@parcelway/http/route-fallback';
import { echo, startGateway, type TestGateway } from '../../testing/harness.ts';

let gateway: TestGateway;

/** A service that responds with who asks and what it sees. */
function echoPrincipal(req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('X-Principal', JSON.stringify(principalOf(req)));
  echo(req, res);
}

const principalIn = ({ headers }: { readonly headers: Record<string, unknown> }): unknown => JSON.parse(String(headers['x-principal']));
const seenIn = ({ json }: { readonly json: { readonly data: unknown } }) =>
  json.data as { headers: Record<string, string>; url: string; body: string };

describe('a service of the same process', () => {
  test('sees the caller, and of the headers those that pass', async () => {
    gateway = await startGateway(echoPrincipal, { isLocal: true });
    const { key, record } = await gateway.issue();
    const headers = { 'x-parcelway-principal': 'forged', cookie: 'a=b', 'x-forwarded-for': '1.2.3.4', 'accept-language': 'zh' };
    const response = await gateway.call('/open/v1/forecasts/weighing?po_number=PO%201', { key, headers });
    expect(principalIn(response)).toMatchObject({ kind: 'tenant', tenantId: 'tnt_1', keyId: record.keyId });
    expect(response.headers).toMatchObject({ 'ratelimit-limit': '200', 'cache-control': 'no-store' });
    const seen = seenIn(response);
    expect(seen.url).toBe('/open/v1/forecasts/weighing?po_number=PO%201');
    expect(Object.keys(seen.headers).sort()).toEqual(['accept-language', 'traceparent', 'x-request-id']);
  });

  test('gets the body of a request as it came, and none of a GET', async () => {
    gateway = await startGateway(echoPrincipal, { isLocal: true });
    const { key } = await gateway.issue();
    const sent = { method: 'POST', key, headers: { 'content-type': 'application/json' } };
    expect(seenIn(await gateway.call('/open/v1/forecasts', { ...sent, body: '{"a": 1 }' })).body).toBe('{"a": 1 }');
    expect(seenIn(await gateway.call('/open/v1/forecasts', { ...sent, chunks: ['{"a"', ': 1 }'] })).body).toBe('{"a": 1 }');
    const got = await gateway.call('/open/v1/forecasts', { key, headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(seenIn(got).headers['content-length']).toBe('0');
  });

  test('acts for nobody on a route without a key', async () => {
    gateway = await startGateway(echoPrincipal, { isLocal: true });
    const headers = { 'x-api-key': 'secret of a connection' };
    const response = await gateway.call('/carriers/v1/ups/con_1', { method: 'POST', headers, body: '{}' });
    expect(principalIn(response)).toMatchObject({ kind: 'system', tenantId: null, scopes: [] });
    expect(seenIn(response).headers['x-api-key']).toBe('secret of a connection');
  });

  test('leaves a request to the fallback of its route, once', async () => {
    let asked = 0;
    gateway = await startGateway(
      (_req, res) => {
        asked += 1;
        if (asked % 2 === 1 || asked > 2) sendFallback(res);
        else res.end('{"code":"0"}');
      },
      { isLocal: true },
    );
    const { key } = await gateway.issue();
    const path = '/open/v1/forecasts/tracking?po_number=PO-1';
    expect([(await gateway.call(path, { key })).text, asked]).toEqual(['{"code":"0"}', 2]);
    expect([(await gateway.call(path, { key })).status, asked]).toEqual([421, 4]);
  });
});
