import { readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createServiceClient } from '@parcelway/http/service-client';
import { Agent, request } from 'undici';
import { loadGatewayConfig } from './config.ts';
import { startFront, type TestFront } from './testing/platform.ts';

/** Says that it is ready, and tells what reached it. */
const others = (req: IncomingMessage, res: ServerResponse): void => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    res.setHeader('Content-Type', 'application/json');
    const data = { url: req.url, method: req.method, body: Buffer.concat(chunks).toString(), type: req.headers['content-type'] };
    res.end(JSON.stringify({ code: '0', message: 'success', data }));
  });
};

interface Envelope {
  code: string;
  message: string;
  data: Record<string, never>;
}

interface QuickstartFile {
  base_url: string;
  ca_file: string;
  environment: string;
  tenant: { id: string; name: string; api_key: string };
  warehouse: { code: string; api_key: string };
  admin: { url: string; token: string };
}

let front: TestFront;
const open: Agent[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((agent) => agent.destroy()));
  await front[Symbol.asyncDispose]();
});

async function quickstartOf(started: TestFront): Promise<QuickstartFile> {
  return JSON.parse(await readFile(join(started.directory, 'quickstart.json'), 'utf8')) as QuickstartFile;
}

async function callPublic(path: string, key?: string): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  const ca = await readFile(front.addresses.caFile as string, 'utf8');
  const agent = new Agent({ connect: { ca } });
  open.push(agent);
  const answer = await request(`${front.addresses.baseUrl}${path}`, { dispatcher: agent, headers: key ? { 'x-api-key': key } : {} });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

async function callAdmin(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; json: Envelope }> {
  const bearer = token ?? (await quickstartOf(front)).admin.token;
  const answer = await request(`${front.addresses.adminUrl}${path}`, {
    method: method as 'GET',
    headers: { authorization: `Bearer ${bearer}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: answer.statusCode, json: (await answer.body.json()) as Envelope };
}

const bodyOf = (answer: { text: string }): Envelope => JSON.parse(answer.text) as Envelope;

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 5000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Not within 5 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('a first start', () => {
  test('in the sandbox makes a tenant, a warehouse and keys that work, in a file that only its owner may read', async () => {
    front = await startFront(others);
    const file = join(front.directory, 'quickstart.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(front.directory, 'admin-token'))).mode & 0o777).toBe(0o600);
    const quickstart = await quickstartOf(front);
    expect(quickstart).toMatchObject({
      base_url: front.addresses.baseUrl,
      ca_file: front.addresses.caFile,
      environment: 'sandbox',
      tenant: { name: 'Demo Merchant' },
      warehouse: { code: 'SZ01' },
      admin: { url: front.addresses.adminUrl },
    });
    const warehouses = await callPublic('/open/v1/warehouses', quickstart.tenant.api_key);
    expect(warehouses.status).toBe(200);
    expect(bodyOf(warehouses).data).toEqual({ warehouses: [{ code: 'SZ01', name: 'Shenzhen demo warehouse' }] });
    expect(warehouses.headers['x-request-id']).toMatch(/^req_/);
    expect(warehouses.headers['ratelimit-limit']).toBe('200');
    expect((await callPublic('/open/v1/warehouses', quickstart.warehouse.api_key)).status).toBe(403);
    const { keys } = (await callAdmin('GET', `/admin/v1/keys?tenant_id=${quickstart.tenant.id}`)).json.data;
    expect(keys).toMatchObject([{ scopes: ['forecasts:write', 'files:write', 'weighing:read', 'tracking:read', 'webhooks:manage'] }]);
  });

  test('keeps keys and token over a restart; a lost file brings new keys for the same tenant', async () => {
    const first = await startFront(others);
    front = first;
    const before = await quickstartOf(first);
    await first.stop();
    const second = await startFront(others, {}, first.directory);
    front = second;
    const after = await quickstartOf(second);
    expect(after).toMatchObject({ tenant: before.tenant, warehouse: before.warehouse });
    expect(after.admin.token).toBe(before.admin.token);
    expect(after.base_url).toBe(second.addresses.baseUrl);
    await second.stop();
    await rm(join(first.directory, 'quickstart.json'));
    front = await startFront(others, {}, first.directory);
    const anew = await quickstartOf(front);
    expect(anew.tenant.id).toBe(before.tenant.id);
    expect(anew.tenant.api_key).not.toBe(before.tenant.api_key);
    expect((await callPublic('/open/v1/warehouses', anew.tenant.api_key)).status).toBe(200);
    expect((await callPublic('/open/v1/warehouses', before.tenant.api_key)).status).toBe(200);
  });

  test('in production makes no keys, only a way in for the operator', async () => {
    front = await startFront(others, { ENVIRONMENT: 'production', ADMIN_TOKEN: 'chosen-by-the-operator' });
    await expect(stat(join(front.directory, 'quickstart.json'))).rejects.toThrow(/ENOENT/);
    const admin = JSON.parse(await readFile(join(front.directory, 'admin.json'), 'utf8')) as QuickstartFile['admin'];
    expect(admin).toEqual({ url: front.addresses.adminUrl, token: 'chosen-by-the-operator' });
    expect((await stat(join(front.directory, 'admin.json'))).mode & 0o777).toBe(0o600);
    const tenants = await callAdmin('GET', '/admin/v1/tenants', undefined, admin.token);
    expect(tenants.json.data).toEqual({ tenants: [] });
    expect((await callPublic('/sandbox/v1/simulations')).status).toBe(404);
  });

  test('names every variable that is wrong', async () => {
    const env = { ADMIN_PORT: 'x', RATE_LIMITS: 'maybe', ADMIN_TOKEN: 'short' };
    expect(() => loadGatewayConfig(env)).toThrow(
      /ADMIN_PORT must be.*\n.*ADMIN_TOKEN must have at least 16.*\n.*RATE_LIMITS must be one of on, off/,
    );
    expect(() => loadGatewayConfig({ TLS_CERT_FILE: 'a' })).toThrow(/TLS_KEY_FILE is needed/);
    expect(() => loadGatewayConfig({ TLS: 'off', TLS_KEY_FILE: 'a' })).toThrow(/TLS is off/);
    front = await startFront(others);
  });
});

describe("the operator's API", () => {
  test('needs the token', async () => {
    front = await startFront(others);
    const without = await request(`${front.addresses.adminUrl}/admin/v1/tenants`);
    expect(without.statusCode).toBe(401);
    expect(await without.body.json()).toMatchObject({ code: '40101', data: null });
    expect(without.headers['x-request-id']).toMatch(/^req_/);
    expect(await callAdmin('GET', '/admin/v1/tenants', undefined, 'wrong')).toMatchObject({ status: 401, json: { code: '40003' } });
    expect(await callAdmin('GET', '/admin/v1/other')).toMatchObject({ status: 404, json: { code: '40402' } });
    const probe = await request(`${front.addresses.adminUrl}/healthz`);
    expect(probe.statusCode).toBe(200);
    await probe.body.dump();
  });

  test('runs the life of a tenant, a warehouse and their keys', async () => {
    front = await startFront(others);
    const tenant = (await callAdmin('POST', '/admin/v1/tenants', { name: 'Acme' })).json.data;
    expect(tenant).toMatchObject({ name: 'Acme', status: 'active' });
    expect(tenant['id']).toMatch(/^tnt_/);
    expect(tenant['create_time']).toMatch(/\+00:00$/);
    const warehouse = { code: 'LA-02', name: 'Los Angeles' };
    expect((await callAdmin('POST', '/admin/v1/warehouses', warehouse)).json.data).toEqual(warehouse);
    expect((await callAdmin('POST', '/admin/v1/warehouses', warehouse)).json.code).toBe('40902');
    const issued = await callAdmin('POST', '/admin/v1/keys', {
      tenant_id: tenant['id'],
      scopes: ['weighing:read'],
      expires_in_seconds: 3600,
      rate_limit: { per_second: 5, burst: 9 },
    });
    const key = String(issued.json.data['key']);
    expect(issued.json.data).toMatchObject({ scopes: ['weighing:read'], rate_limit: { per_second: 5, burst: 9 }, revoke_time: null });
    const used = await callPublic('/open/v1/warehouses', key);
    expect(used).toMatchObject({ status: 200, headers: { 'ratelimit-limit': '9' } });
    expect((await callAdmin('POST', `/admin/v1/tenants/${tenant['id']}/suspend`)).json.data).toMatchObject({ status: 'suspended' });
    expect(bodyOf(await callPublic('/open/v1/warehouses', key)).code).toBe('40302');
    await callAdmin('POST', `/admin/v1/tenants/${tenant['id']}/resume`);
    expect((await callPublic('/open/v1/warehouses', key)).status).toBe(200);
    const revoked = await callAdmin('POST', `/admin/v1/keys/${issued.json.data['key_id']}/revoke`);
    expect(revoked.json.data['revoke_time']).toMatch(/^20/);
    expect(bodyOf(await callPublic('/open/v1/warehouses', key)).code).toBe('40003');
    const again = await callAdmin('POST', `/admin/v1/keys/${issued.json.data['key_id']}/revoke`);
    expect(again.json.data['revoke_time']).toBe(revoked.json.data['revoke_time']);
    const listed = (await callAdmin('GET', `/admin/v1/keys?tenant_id=${tenant['id']}`)).json.data['keys'] as object[];
    expect(listed).toHaveLength(1);
    expect(JSON.stringify(listed)).not.toContain(key);
  });

  test('says what is wrong with a body', async () => {
    front = await startFront(others);
    expect(await callAdmin('POST', '/admin/v1/tenants', { name: '' })).toMatchObject({ status: 422, json: { code: '42201' } });
    expect((await callAdmin('POST', '/admin/v1/keys', {})).json.code).toBe('42201');
    expect((await callAdmin('POST', '/admin/v1/keys', { tenant_id: 'a', warehouse_code: 'b' })).json.code).toBe('42201');
    expect((await callAdmin('POST', '/admin/v1/keys', { tenant_id: 'tnt_none' })).json.code).toBe('40403');
    const { tenant } = await quickstartOf(front);
    const foreign = await callAdmin('POST', '/admin/v1/keys', { tenant_id: tenant.id, scopes: ['warehouse:write'] });
    expect(foreign.json.data).toMatchObject({ errors: [{ field: 'scopes[0]', rule: 'enum' }] });
    expect((await callAdmin('POST', '/admin/v1/keys/key_none/revoke')).json.code).toBe('40403');
    expect((await callAdmin('POST', '/admin/v1/tenants/none/suspend')).json.code).toBe('40403');
  });

  test('lists and redrives dead letters of known topics', async () => {
    front = await startFront(others);
    expect((await callAdmin('GET', '/admin/v1/dead-letters?topic=warehouse.intake.v1')).json.data).toEqual({ dead_letters: [] });
    expect((await callAdmin('POST', '/admin/v1/dead-letters/redrive', { topic: 'warehouse.intake.v1' })).json.data).toEqual({
      redriven: 0,
    });
    expect((await callAdmin('GET', '/admin/v1/dead-letters?topic=other')).json.code).toBe('42201');
    expect((await callAdmin('POST', '/admin/v1/dead-letters/redrive', { topic: 'other' })).json.code).toBe('42201');
  });

  test('speaks to services on behalf of the platform and of a tenant', async () => {
    front = await startFront(others);
    expect((await callAdmin('GET', '/admin/v1/unclaimed?limit=7')).json.data).toMatchObject({ url: '/internal/v1/unclaimed?limit=7' });
    const { tenant } = await quickstartOf(front);
    const body = { url: 'https://example.com/hook' };
    const created = await callAdmin('POST', `/admin/v1/tenants/${tenant.id}/webhook-endpoints?a=b`, body);
    expect(created.json.data).toMatchObject({
      url: '/open/v1/webhook-endpoints?a=b',
      method: 'POST',
      body: JSON.stringify(body),
      type: 'application/json',
    });
    const deliveries = await callAdmin('GET', `/admin/v1/tenants/${tenant.id}/webhook-endpoints/we_1/deliveries`);
    expect(deliveries.json.data).toMatchObject({ url: '/open/v1/webhook-endpoints/we_1/deliveries', method: 'GET' });
    expect((await callAdmin('GET', '/admin/v1/tenants/none/webhook-endpoints')).json.code).toBe('40403');
  });
});

describe('what the gateway answers itself', () => {
  test('the reference page and its documents, from local files and without inline script', async () => {
    front = await startFront(others);
    const page = await callPublic('/docs');
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(page.text).not.toMatch(/https?:\/\//);
    expect(page.text).not.toMatch(/<script>(?!<)/);
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => `/${match[1]}`);
    expect(links).toHaveLength(4);
    for (const link of links) expect((await callPublic(link)).status).toBe(200);
    expect((await callPublic('/docs/package.json')).status).toBe(404);
    expect(await callPublic('/')).toMatchObject({ status: 302, headers: { location: '/docs' } });
    const openapi = JSON.parse((await callPublic('/openapi.json')).text) as { openapi: string; servers: Array<{ url: string }> };
    expect(openapi.openapi).toMatch(/^3\.1/);
    expect(openapi.servers[0]?.url).toMatch(/^https:\/\/localhost/);
    expect((JSON.parse((await callPublic('/asyncapi.json')).text) as { asyncapi: string }).asyncapi).toMatch(/^3\./);
  });

  test('probes: ready when every service is', async () => {
    let broken = '';
    front = await startFront((req, res) => {
      res.statusCode = req.url === broken ? 503 : 200;
      res.end();
    });
    expect(await callPublic('/healthz')).toMatchObject({ status: 200 });
    const ready = await callPublic('/readyz');
    expect(ready.status).toBe(200);
    const state = 'ready';
    expect(bodyOf(ready).data).toEqual({
      status: state,
      services: { gateway: state, forecast: state, file: state, 'warehouse-intake': state, tracking: state, webhook: state },
    });
    broken = '/readyz';
    const unready = await callPublic('/readyz');
    expect(unready).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(bodyOf(unready)).toMatchObject({ code: '50301', data: { services: { gateway: 'ready', file: 'not ready' } } });
  });

  test('a simulation with a body that is wrong says so', async () => {
    front = await startFront(others);
    const { tenant } = await quickstartOf(front);
    const ca = await readFile(front.addresses.caFile as string, 'utf8');
    const agent = new Agent({ connect: { ca } });
    open.push(agent);
    const answer = await request(`${front.addresses.baseUrl}/sandbox/v1/simulations`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'x-api-key': tenant.api_key, 'content-type': 'application/json' },
      body: '{"po_number":"A","step":"track"}',
    });
    expect(await answer.body.json()).toMatchObject({ code: '42201', data: { errors: [{ field: 'admin_status', rule: 'required' }] } });
  });

  test('the list of warehouses for other services, to services alone', async () => {
    front = await startFront(others);
    const stranger = await request(`${front.internalOrigin}/internal/v1/warehouses`);
    expect(stranger.statusCode).toBe(401);
    await stranger.body.dump();
    const services = createServiceClient({ originOf: () => front.internalOrigin, signer: front.signer });
    const principal = {
      kind: 'system',
      tenantId: null,
      warehouseCode: null,
      keyId: 'forecast',
      scopes: [],
      environment: 'sandbox',
    } as const;
    const call = { service: 'gateway', method: 'GET', path: '/internal/v1/warehouses' } as const;
    expect(await services.call({ ...call, principal })).toEqual({ warehouses: [{ code: 'SZ01', name: 'Shenzhen demo warehouse' }] });
    const tenant = { ...principal, kind: 'tenant', tenantId: 'tnt_1' } as const;
    await expect(services.call({ ...call, principal: tenant })).rejects.toMatchObject({ code: '40301' });
    await services.close();
  });
});

describe('keys', () => {
  test('revoked by another replica are refused as soon as the news arrives', async () => {
    front = await startFront(others);
    const { tenant } = await quickstartOf(front);
    expect((await callPublic('/open/v1/warehouses', tenant.api_key)).status).toBe(200);
    // Straight in the store and on the bus, as another replica does it.
    const [key] = (await callAdmin('GET', `/admin/v1/keys?tenant_id=${tenant.id}`)).json.data['keys'] as Array<{ key_id: string }>;
    await front.revokeElsewhere(String(key?.key_id));
    await until('the key is refused', async () => (await callPublic('/open/v1/warehouses', tenant.api_key)).status === 401);
  });

  test('show when they were last used', async () => {
    const first = await startFront(others);
    front = first;
    const { tenant } = await quickstartOf(first);
    await callPublic('/open/v1/warehouses', tenant.api_key);
    // Written down at the latest when the gateway stops.
    await first.stop();
    front = await startFront(others, {}, first.directory);
    const [key] = (await callAdmin('GET', `/admin/v1/keys?tenant_id=${tenant.id}`)).json.data['keys'] as Array<{ last_use_time: string }>;
    expect(key?.last_use_time).toMatch(/:00\.000\+00:00$/);
  });
});

test('draining lets a running request finish, and refuses new connections', async () => {
  let answer: ServerResponse | undefined;
  front = await startFront((_req, res) => {
    answer = res;
  });
  const { tenant } = await quickstartOf(front);
  const running = callPublic('/open/v1/forecasts', tenant.api_key);
  await until('the request reaches the service', async () => answer !== undefined);
  const drained = front.front.drain(5000);
  await expect(callPublic('/healthz')).rejects.toThrow(/ECONNREFUSED/);
  answer?.end('{"code":"0"}');
  const finished = await running;
  expect(finished).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await drained;
});
