import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { OutpostApi } from './outpost-api.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: unknown;
}

describe('OutpostApi', () => {
  let server: Server;
  let api: OutpostApi;
  let asked: Asked[];
  let statusOf: (path: string) => number;

  beforeEach(async () => {
    asked = [];
    statusOf = (path) => (path === '/api/v1/publish' ? 202 : 201);
    server = createServer(async (req, res) => {
      let text = '';
      for await (const chunk of req) text += String(chunk);
      const path = req.url ?? '';
      asked.push({ method: req.method ?? '', path, key: req.headers.authorization, body: text === '' ? null : JSON.parse(text) });
      res.writeHead(statusOf(path)).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    api = new OutpostApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key');
  });

  afterEach(async () => {
    await api.close();
    await new Promise((resolve) => server.close(resolve));
  });

  test('registers a tenant, then its one webhook destination', async () => {
    await api.register([{ tenantId: 't1', url: 'http://127.0.0.1:1/ok/0' }]);
    const key = 'Bearer key';
    expect(asked).toEqual([
      { method: 'PUT', path: '/api/v1/tenants/t1', key, body: {} },
      {
        method: 'POST',
        path: '/api/v1/tenants/t1/destinations',
        key,
        body: { type: 'webhook', topics: ['parcel.weighed'], config: { url: 'http://127.0.0.1:1/ok/0' } },
      },
    ]);
  });

  test('publishes under the id of the event', async () => {
    await api.publish({ id: 'evt_1', tenantId: 't1', forecastNo: 'F1', poNumber: 'P1' });
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/publish',
      key: 'Bearer key',
      body: { id: 'evt_1', tenant_id: 't1', topic: 'parcel.weighed', data: { event_id: 'evt_1', forecast_no: 'F1', po_number: 'P1' } },
    });
  });

  test('an event that is not responded with 202 was not accepted, and a refused registration says why', async () => {
    statusOf = () => 503;
    await expect(api.publish({ id: 'evt_1', tenantId: 't1', forecastNo: 'F1', poNumber: 'P1' })).rejects.toThrow('503');
    await expect(api.register([{ tenantId: 't1', url: 'http://127.0.0.1:1/' }])).rejects.toThrow('PUT /api/v1/tenants/t1 with 503');
    await expect(api.isHealthy()).resolves.toBe(false);
  });
});
