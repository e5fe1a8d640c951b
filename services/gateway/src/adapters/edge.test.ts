import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../testing/harness.ts';

const echo = (req: IncomingMessage, res: ServerResponse): void => {
  req.resume();
  req.on('end', () => {
    res.setHeader('Content-Type', 'application/json');
    res.setHeader('X-Request-Id', 'not-this-one');
    res.end(JSON.stringify({ code: '0', message: 'success', data: { url: req.url, method: req.method, headers: req.headers } }));
  });
};

describe('the edge', () => {
  let gateway: TestGateway;
  afterEach(() => gateway[Symbol.asyncDispose]());

  test('passes an authenticated GET on to the service and its answer back', async () => {
    gateway = await startGateway(echo);
    const { key, record } = await gateway.issue();
    const answer = await gateway.call('/open/v1/forecasts/weighing?po_number=PO%201', { key });
    expect(answer.status).toBe(200);
    const data = answer.json.data as { url: string; headers: Record<string, string> };
    expect(data.url).toBe('/open/v1/forecasts/weighing?po_number=PO%201');
    expect(data.headers['x-api-key']).toBeUndefined();
    const principal = gateway.verifier.verify(data.headers['x-parcelway-principal']);
    expect(principal).toMatchObject({ kind: 'tenant', tenantId: 'tnt_1', keyId: record.keyId, environment: 'sandbox' });
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
    expect(answer.headers['x-request-id']).toBe(data.headers['x-request-id']);
    expect(answer.headers).toMatchObject({
      'ratelimit-limit': '200',
      'ratelimit-remaining': '199',
      'ratelimit-reset': '7',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    });
  });
});
