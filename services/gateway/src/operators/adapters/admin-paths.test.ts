import { request } from 'node:http';
import { beforeAll, expect, test } from '@jest/globals';
import { webhookRoutes } from '@parcelway/contracts/webhook-routes';
import { type Envelope, others, quickstartOf } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';
import { adminRoutes } from './admin-routes.ts';

let gateway: TestGateway;
const reached: string[] = [];
beforeAll(async () => {
  gateway = await startGateway((req, res) => {
    reached.push(`${req.method} ${req.url}`);
    others(req, res);
  });
});

/** Sends a path as it is: clients that take URLs resolve it before they send. */
async function sendRaw(method: string, path: string): Promise<Envelope> {
  const { admin } = await quickstartOf(gateway);
  const { hostname, port } = new URL(admin.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { authorization: `Bearer ${admin.token}` } }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as Envelope));
    });
    sent.once('error', reject);
    sent.end();
  });
}

test('a path that leads elsewhere once it is resolved reaches no service', async () => {
  const { tenant, warehouse } = await quickstartOf(gateway);
  const endpoints = `/admin/v1/tenants/${tenant.id}/webhook-endpoints`;
  const before = reached.length;
  for (const [method, path] of [
    ['GET', '/admin/v1/carrier-connections/..\\tenant-data\\forecasts?tenant_id=tnt_1'],
    ['GET', '/admin/v1/carrier-connections/..%5Ctenant-data%5Cforecasts?tenant_id=tnt_1'],
    ['GET', '/admin/v1/carrier-connections/%2e%2e'],
    ['GET', `/admin/v1/warehouses/${warehouse.code}/events/..\\forecasts`],
    ['GET', `/admin/v1/warehouses/${warehouse.code}/events/..%2Fforecasts`],
    ['POST', `${endpoints}/%2e%2e/webhook-endpoints`],
    ['POST', `${endpoints}/ep_1/%2e/rotate-secret`],
    ['GET', `${endpoints}/%2e%2e/%2e%2e/%2e%2e/sandbox/v1/listen?wait=1`],
    ['GET', `${endpoints}/..`],
  ] as const) {
    expect([path, (await sendRaw(method, path)).code]).toEqual([path, '40402']);
  }
  expect(reached.slice(before)).toEqual([]);
});

test('an id with other characters reaches the service as it was sent', async () => {
  const { tenant, warehouse } = await quickstartOf(gateway);
  const encoded = 'a%2Fb%20..c%5C%C3%BC';
  const event = await sendRaw('GET', `/admin/v1/warehouses/${warehouse.code}/events/${encoded}?x=../..`);
  expect(event.data).toMatchObject({ url: `/warehouse/v1/events/${encoded}?x=../..` });
  const endpoint = await sendRaw('DELETE', `/admin/v1/tenants/${tenant.id}/webhook-endpoints/${encoded}`);
  expect(endpoint.data).toMatchObject({ url: `/open/v1/webhook-endpoints/${encoded}`, method: 'DELETE' });
});

test("the operator has every route of a merchant's endpoints, and no other route of the webhook service", async () => {
  const { tenant } = await quickstartOf(gateway);
  const wanted = webhookRoutes.filter(({ path }) => path.startsWith('/open/v1/webhook-endpoints'));
  const named = wanted.map(
    ({ method, path }) => `${method} ${path.replace('/open/v1', '/admin/v1/tenants/:id').replaceAll(/\{([a-z_]+)\}/g, ':$1')}`,
  );
  expect(
    Object.keys(adminRoutes)
      .filter((route) => route.includes('/webhook-endpoints'))
      .sort(),
  ).toEqual(named.sort());
  expect(await sendRaw('POST', `/admin/v1/tenants/${tenant.id}/webhook-endpoints/ep_1/other`)).toMatchObject({ code: '40402' });
});
