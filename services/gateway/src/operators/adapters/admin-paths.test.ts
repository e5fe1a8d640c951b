import { request } from 'node:http';
import { beforeAll, expect, test } from '@jest/globals';
import { webhookRoutes } from '@parcelway/contracts/webhook-routes';
import { type Envelope, quickstartOf } from '../../testing/gateway-client.ts';
import { echo } from '../../testing/harness.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';
import { adminRoutes } from './admin-routes.ts';

let gateway: TestGateway;
let endpoints: string;
let warehouse: string;
const reached: string[] = [];
beforeAll(async () => {
  gateway = await startGateway((req, res) => {
    reached.push(`${req.method} ${req.url}`);
    echo(req, res);
  });
  const quickstart = await quickstartOf(gateway);
  endpoints = `/admin/v1/tenants/${quickstart.tenant.id}/webhook-endpoints`;
  warehouse = `/admin/v1/warehouses/${quickstart.warehouse.code}`;
});

/** Sends a path as it is: clients that take URLs resolve it before they send. */
async function sendRaw(method: string, path: string): Promise<Envelope> {
  const { admin } = await quickstartOf(gateway);
  const { hostname, port } = new URL(admin.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { authorization: `Bearer ${admin.token}` } }, async (res) => {
      let text = '';
      for await (const chunk of res.setEncoding('utf8')) text += chunk;
      resolve(JSON.parse(text) as Envelope);
    });
    sent.once('error', reject).end();
  });
}

test('a path that leads elsewhere once it is resolved reaches no service', async () => {
  for (const [method, path] of [
    ['GET', '/admin/v1/carrier-connections/..\\tenant-data\\forecasts?tenant_id=tnt_1'],
    ['GET', '/admin/v1/carrier-connections/%2e%2e'],
    ['GET', `${warehouse}/events/..%2Fforecasts`],
    ['POST', `${endpoints}/ep_1/%2e/rotate-secret`],
    ['GET', `${endpoints}/..`],
  ] as const) {
    expect([path, (await sendRaw(method, path)).code]).toEqual([path, '40402']);
  }
  expect(reached).toEqual([]);
});

test('an id with other characters reaches the service as it was sent', async () => {
  const encoded = 'a%2Fb%20..c%5C%C3%BC';
  const event = await sendRaw('GET', `${warehouse}/events/${encoded}?x=../..`);
  expect(event.data).toMatchObject({ url: `/warehouse/v1/events/${encoded}?x=../..` });
  const endpoint = await sendRaw('DELETE', `${endpoints}/${encoded}`);
  expect(endpoint.data).toMatchObject({ url: `/open/v1/webhook-endpoints/${encoded}`, method: 'DELETE' });
});

test("the operator has every route of a merchant's endpoints", () => {
  const wanted = webhookRoutes
    .filter(({ path }) => path.startsWith('/open/v1/webhook-endpoints'))
    .map(({ method, path }) => `${method} ${path.replace('/open/v1', '/admin/v1/tenants/:id').replaceAll(/\{([a-z_]+)\}/g, ':$1')}`);
  const routes = Object.keys(adminRoutes).filter((route) => route.includes('/webhook-endpoints'));
  expect(routes.sort()).toEqual(wanted.sort());
});
