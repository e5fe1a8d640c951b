import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { tenantScopes } from '@parcelway/contracts/scopes';
import { until } from '@parcelway/kernel/testing/until';
import type { AdminAccess } from './operators/adapters/quickstart-file.ts';
import { bodyOf, callAdmin, callPublic, quickstartOf } from './testing/gateway-client.ts';
import { echo } from './testing/harness.ts';
import { startGateway, type TestGateway } from './testing/platform.ts';

let gateway: TestGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

describe('a first start', () => {
  test('in the sandbox makes a tenant, a warehouse and keys that work, in a file that only its owner may read', async () => {
    gateway = await startGateway(echo);
    const file = join(gateway.directory, 'quickstart.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(gateway.directory, 'admin-token'))).mode & 0o777).toBe(0o600);
    const quickstart = await quickstartOf(gateway);
    expect(quickstart).toMatchObject({
      base_url: gateway.addresses.baseUrl,
      ca_file: gateway.addresses.caFile,
      environment: 'sandbox',
      tenant: { name: 'Demo Merchant' },
      warehouse: { code: 'SZ01' },
      admin: { url: gateway.addresses.adminUrl },
    });
    const warehouses = await callPublic(gateway, '/open/v1/warehouses', quickstart.tenant.api_key);
    expect(warehouses.status).toBe(200);
    expect(bodyOf(warehouses).data).toEqual({ warehouses: [{ code: 'SZ01', name: 'Shenzhen demo warehouse' }] });
    expect(warehouses.headers['x-request-id']).toMatch(/^req_/);
    expect(warehouses.headers['ratelimit-limit']).toBe('200');
    expect((await callPublic(gateway, '/open/v1/warehouses', quickstart.warehouse.api_key)).status).toBe(403);
    const own = await callPublic(gateway, '/warehouse/v1/warehouse', quickstart.warehouse.api_key);
    expect(bodyOf(own).data).toEqual({ code: 'SZ01', name: 'Shenzhen demo warehouse' });
    expect((await callPublic(gateway, '/warehouse/v1/warehouse', quickstart.tenant.api_key)).status).toBe(403);
    const { keys } = (await callAdmin(gateway, 'GET', `/admin/v1/keys?tenant_id=${quickstart.tenant.id}`)).json.data;
    expect(keys).toMatchObject([{ scopes: tenantScopes }]);
  });

  test('keeps keys and token over a restart; a lost file brings new keys for the same tenant', async () => {
    const first = await startGateway(echo);
    gateway = first;
    const before = await quickstartOf(first);
    await first.stop();
    const second = await startGateway(echo, {}, first.directory);
    gateway = second;
    const after = await quickstartOf(second);
    expect(after).toMatchObject({ tenant: before.tenant, warehouse: before.warehouse });
    expect(after.admin.token).toBe(before.admin.token);
    expect(after.base_url).toBe(second.addresses.baseUrl);
    await second.stop();
    await rm(join(first.directory, 'quickstart.json'));
    gateway = await startGateway(echo, {}, first.directory);
    const again = await quickstartOf(gateway);
    expect(again.tenant.id).toBe(before.tenant.id);
    expect(again.tenant.api_key).not.toBe(before.tenant.api_key);
    expect((await callPublic(gateway, '/open/v1/warehouses', again.tenant.api_key)).status).toBe(200);
    expect((await callPublic(gateway, '/open/v1/warehouses', before.tenant.api_key)).status).toBe(200);
  });

  test('in production makes no keys, only a way in for the operator', async () => {
    gateway = await startGateway(echo, { ENVIRONMENT: 'production', ADMIN_TOKEN: 'chosen-by-the-operator' });
    await expect(stat(join(gateway.directory, 'quickstart.json'))).rejects.toThrow(/ENOENT/);
    const admin = JSON.parse(await readFile(join(gateway.directory, 'admin.json'), 'utf8')) as AdminAccess;
    expect(admin).toEqual({ url: gateway.addresses.adminUrl, token: 'chosen-by-the-operator' });
    expect((await stat(join(gateway.directory, 'admin.json'))).mode & 0o777).toBe(0o600);
    const tenants = await callAdmin(gateway, 'GET', '/admin/v1/tenants', undefined, admin.token);
    expect(tenants.json.data).toEqual({ tenants: [] });
    expect((await callPublic(gateway, '/sandbox/v1/simulations')).status).toBe(404);
  });
});

describe('what the gateway handles itself', () => {
  test('probes: ready when every service is', async () => {
    let broken = '';
    let asked = 0;
    gateway = await startGateway((req, res) => {
      asked += 1;
      res.statusCode = req.url === broken ? 503 : 200;
      res.end();
    });
    expect(await callPublic(gateway, '/healthz')).toMatchObject({ status: 200 });
    const ready = await callPublic(gateway, '/readyz');
    expect(ready.status).toBe(200);
    const state = 'ready';
    expect(bodyOf(ready).data).toEqual({
      status: state,
      services: { gateway: state, forecast: state, file: state, 'warehouse-intake': state, tracking: state, webhook: state },
    });
    // One question to each of the five others serves everybody for a while: the route needs no key.
    await Promise.all(Array.from({ length: 20 }, () => callPublic(gateway, '/readyz')));
    expect(asked).toBeLessThan(20 * 5);
    broken = '/readyz';
    await until(async () => (await callPublic(gateway, '/readyz')).status === 503, { what: 'the response to be asked for again' });
    const unready = await callPublic(gateway, '/readyz');
    expect(unready).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(bodyOf(unready)).toMatchObject({ code: '50301', data: { services: { gateway: 'ready', file: 'not ready' } } });
  });

  test('a service is ready while operators wait for it', async () => {
    let held = 0;
    gateway = await startGateway((req, res) => {
      if (req.url === '/readyz') res.end();
      else held += 1;
    });
    const { tenant } = await quickstartOf(gateway);
    const path = `/admin/v1/tenants/${tenant.id}/export/contents/a`;
    const waiting = Array.from({ length: 8 }, () => callAdmin(gateway, 'GET', path).catch(() => undefined));
    await until(() => held === 4, { what: 'every connection for operators to be taken' });
    expect((await callPublic(gateway, '/readyz')).status).toBe(200);
    await gateway.stop();
    await Promise.all(waiting);
  });
});
