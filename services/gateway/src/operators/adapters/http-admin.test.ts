import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiKey, DeadLetterView, Tenant } from '@parcelway/contracts/admin-api';
import type { ConsoleLink } from '@parcelway/contracts/console-api';
import type { OwnAccess } from '@parcelway/contracts/key-api';
import type { CreatedOperator } from '@parcelway/contracts/operator-api';
import { deadLetterTopic } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { request } from 'undici';
import { bodyOf, callAdmin, callPublic, type Envelope, others, quickstartOf } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

/** `data` of a list. */
interface List {
  readonly tenants: readonly Tenant[];
  readonly keys: readonly ApiKey[];
  readonly next_cursor?: string | null;
  readonly warnings?: readonly object[];
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(others);
  // With the tenant and the two keys of the sandbox: 5 tenants, 8 keys.
  const { tenant, warehouse } = await quickstartOf(gateway);
  for (const name of ['A', 'B', 'C', 'D']) await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name });
  for (const holder of [{ tenant_id: tenant.id }, { warehouse_code: warehouse.code }])
    for (let no = 0; no < 3; no += 1) await callAdmin(gateway, 'POST', '/admin/v1/keys', holder);
});

async function read(path: string): Promise<List> {
  return (await callAdmin(gateway, 'GET', `/admin/v1/${path}`)).json.data as unknown as List;
}

describe('a wrong page', () => {
  test('has a cursor that is not of the list', async () => {
    const { next_cursor: ofTenants } = await read('tenants?limit=1');
    const { next_cursor: ofKeys } = await read('keys?limit=1');
    const foreign = { tenants: ofKeys, keys: ofTenants };
    for (const list of ['tenants', 'keys'] as const)
      for (const cursor of [foreign[list], 'MS4xLmtleV8x', '2.x', `2.${'A'.repeat(60)}`])
        expect([cursor, (await callAdmin(gateway, 'GET', `/admin/v1/${list}?cursor=${cursor}`)).json.data['errors']]).toMatchObject([
          cursor,
          [{ field: 'cursor', rule: 'cursor' }],
        ]);
    expect((await read(`keys?cursor=${'x'.repeat(513)}`)) as object).toMatchObject({ errors: [{ field: 'cursor' }] });
    expect((await read('tenants?cursor=')) as object).toMatchObject({ errors: [{ field: 'cursor' }] });
  });
});

describe("the operator's API", () => {
  test('needs the token', async () => {
    const without = await request(`${gateway.addresses.adminUrl}/admin/v1/tenants`);
    expect(without.statusCode).toBe(401);
    expect(await without.body.json()).toMatchObject({ code: '40101', data: null });
    expect(without.headers['x-request-id']).toMatch(/^req_/);
    expect(await callAdmin(gateway, 'GET', '/admin/v1/tenants', undefined, 'wrong')).toMatchObject({
      status: 401,
      json: { code: '40003' },
    });
    expect(await callAdmin(gateway, 'GET', '/admin/v1/other')).toMatchObject({ status: 404, json: { code: '40402' } });
    const probe = await request(`${gateway.addresses.adminUrl}/healthz`);
    expect(probe.statusCode).toBe(200);
    await probe.body.dump();
  });

  test('runs the life of a tenant, a warehouse and their keys', async () => {
    const tenant = (await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name: 'Acme' })).json.data;
    expect(tenant).toMatchObject({ name: 'Acme', status: 'active' });
    expect(tenant['id']).toMatch(/^tnt_/);
    expect(tenant['create_time']).toMatch(/\+00:00$/);
    const warehouse = { code: 'LA-02', name: 'Los Angeles' };
    expect((await callAdmin(gateway, 'POST', '/admin/v1/warehouses', warehouse)).json.data).toEqual(warehouse);
    expect((await callAdmin(gateway, 'POST', '/admin/v1/warehouses', warehouse)).json.code).toBe('40902');
    const issued = await callAdmin(gateway, 'POST', '/admin/v1/keys', {
      tenant_id: tenant['id'],
      scopes: ['weighing:read'],
      expires_in_seconds: 3600,
      rate_limit: { per_second: 5, burst: 9 },
    });
    const key = String(issued.json.data['key']);
    expect(issued.json.data).toMatchObject({ scopes: ['weighing:read'], rate_limit: { per_second: 5, burst: 9 }, revoke_time: null });
    const used = await callPublic(gateway, '/open/v1/warehouses', key);
    expect(used).toMatchObject({ status: 200, headers: { 'ratelimit-limit': '9' } });
    expect((await callAdmin(gateway, 'POST', `/admin/v1/tenants/${tenant['id']}/suspend`)).json.data).toMatchObject({
      status: 'suspended',
    });
    expect(bodyOf(await callPublic(gateway, '/open/v1/warehouses', key)).code).toBe('40302');
    await callAdmin(gateway, 'POST', `/admin/v1/tenants/${tenant['id']}/resume`);
    expect((await callPublic(gateway, '/open/v1/warehouses', key)).status).toBe(200);
    const revoked = await callAdmin(gateway, 'POST', `/admin/v1/keys/${issued.json.data['key_id']}/revoke`);
    expect(revoked.json.data['revoke_time']).toMatch(/^20/);
    expect(bodyOf(await callPublic(gateway, '/open/v1/warehouses', key)).code).toBe('40003');
    const again = await callAdmin(gateway, 'POST', `/admin/v1/keys/${issued.json.data['key_id']}/revoke`);
    expect(again.json.data['revoke_time']).toBe(revoked.json.data['revoke_time']);
    const listed = (await callAdmin(gateway, 'GET', `/admin/v1/keys?tenant_id=${tenant['id']}`)).json.data['keys'] as unknown as object[];
    expect(listed).toHaveLength(1);
    expect(JSON.stringify(listed)).not.toContain(key);
  });

  test('lists and redrives dead letters of known topics', async () => {
    expect((await callAdmin(gateway, 'GET', '/admin/v1/dead-letters?topic=warehouse.intake.v1')).json.data).toEqual({ dead_letters: [] });
    expect((await callAdmin(gateway, 'POST', '/admin/v1/dead-letters/redrive', { topic: 'warehouse.intake.v1' })).json.data).toEqual({
      redriven: 0,
      passed_over: 0,
    });
    expect((await callAdmin(gateway, 'GET', '/admin/v1/dead-letters?topic=other')).json.code).toBe('42201');
    expect((await callAdmin(gateway, 'POST', '/admin/v1/dead-letters/redrive', { topic: 'other' })).json.code).toBe('42201');
  });

  test('discards the dead letters that are named', async () => {
    const topic = 'gateway.events.v1';
    await gateway.bus.publish(['x', 'y'].map((value) => ({ topic: deadLetterTopic(topic), key: 'k', value })));
    const listed = async () =>
      (await callAdmin(gateway, 'GET', `/admin/v1/dead-letters?topic=${topic}`)).json.data['dead_letters'] as unknown as DeadLetterView[];
    await until(async () => (await listed()).length === 2, { what: 'two dead letters' });
    const [first, second] = (await listed()).map(({ partition, offset }) => ({ partition, offset }));
    const discard = (dead_letters: unknown, of = topic) =>
      callAdmin(gateway, 'POST', '/admin/v1/dead-letters/discard', { topic: of, dead_letters });
    expect(await discard([second])).toMatchObject({ status: 409, json: { code: '40902' } });
    expect((await discard([first])).json.data).toMatchObject({ discarded: 1, dead_letters: [{ ...first, topic, value: 'x' }] });
    expect(await listed()).toMatchObject([{ ...second, value: 'y' }]);
    expect(await discard([first])).toMatchObject({ status: 404, json: { code: '40403' } });
    expect((await discard([first], 'other')).json.code).toBe('42201');
    expect(await listed()).toHaveLength(1);
  });

  test('speaks to services on behalf of the platform and of a tenant', async () => {
    expect((await callAdmin(gateway, 'GET', '/admin/v1/unclaimed?limit=7')).json.data).toMatchObject({
      url: '/internal/v1/unclaimed?limit=7',
    });
    expect((await callAdmin(gateway, 'GET', '/admin/v1/resolutions?warehouse_code=WH1&limit=7')).json.data).toMatchObject({
      url: '/internal/v1/resolutions?limit=7&warehouse_code=WH1',
    });
    const { tenant, warehouse } = await quickstartOf(gateway);
    const at = `/admin/v1/warehouses/${warehouse.code}`;
    const claimed = await callAdmin(gateway, 'POST', `${at}/unclaimed/a%2Fb%40c:d+e/claim`, { forecast_no: 'FC1' });
    expect(claimed.json.data).toMatchObject({ url: '/warehouse/v1/unclaimed/a%2Fb%40c:d+e/claim', method: 'POST' });
    const gets = ['unclaimed?reason=ambiguous', 'events/a%2Fb', 'lookup?scan=SF1'];
    for (const get of gets)
      expect((await callAdmin(gateway, 'GET', `${at}/${get}`)).json.data).toMatchObject({ url: `/warehouse/v1/${get}` });
    expect((await callAdmin(gateway, 'GET', '/admin/v1/warehouses/NONE/unclaimed')).json.code).toBe('40403');
    expect((await callAdmin(gateway, 'GET', `${at}/photos`)).json.code).toBe('40402');
    const body = { url: 'https://example.com/hook' };
    const created = await callAdmin(gateway, 'POST', `/admin/v1/tenants/${tenant.id}/webhook-endpoints?a=b`, body);
    expect(created.json.data).toMatchObject({
      url: '/open/v1/webhook-endpoints?a=b',
      method: 'POST',
      body: JSON.stringify(body),
      type: 'application/json',
    });
    const deliveries = await callAdmin(gateway, 'GET', `/admin/v1/tenants/${tenant.id}/webhook-endpoints/we_1/deliveries`);
    expect(deliveries.json.data).toMatchObject({ url: '/open/v1/webhook-endpoints/we_1/deliveries', method: 'GET' });
    expect((await callAdmin(gateway, 'GET', '/admin/v1/tenants/none/webhook-endpoints')).json.code).toBe('40403');
    const connections = '/v1/carrier-connections';
    const change = { carriers: ['ups'] };
    expect((await callAdmin(gateway, 'GET', `/admin${connections}`)).json.data).toMatchObject({ url: `/internal${connections}` });
    expect((await callAdmin(gateway, 'PATCH', `/admin${connections}/a%2Fb`, change)).json.data).toMatchObject({
      url: `/internal${connections}/a%2Fb`,
      method: 'PATCH',
      body: JSON.stringify(change),
    });
    expect((await callAdmin(gateway, 'POST', `/admin${connections}/c/test`)).json.data).toMatchObject({
      url: `/internal${connections}/c/test`,
    });
  });
});

describe('links to the console', () => {
  let tenantId: string;
  beforeAll(async () => {
    tenantId = (await quickstartOf(gateway)).tenant.id;
  });

  const create = async (body: object | undefined, token?: string, id = tenantId): Promise<Envelope> =>
    (await callAdmin(gateway, 'POST', `/admin/v1/tenants/${id}/console-links`, body, token)).json as Envelope;
  const linkOf = (response: Envelope): ConsoleLink => response.data as unknown as ConsoleLink;
  const tokenOf = ({ url }: ConsoleLink): string => url.slice(url.indexOf('#link=') + '#link='.length);
  const read = async <T>(path: string, key: string): Promise<{ code: string; data: T }> =>
    JSON.parse((await callPublic(gateway, path, key)).text) as { code: string; data: T };

  describe("an operator's link", () => {
    test('reads for an hour, and either side ends it by its key', async () => {
      const link = linkOf(await create(undefined));
      expect(link).toMatchObject({ scopes: ['weighing:read', 'tracking:read'], warnings: [] });
      expect(link.url).toContain('/console#link=pfs_');
      const seen = await read<OwnAccess>('/open/v1/me', tokenOf(link));
      expect(seen.data).toMatchObject({
        tenant: { id: tenantId },
        key: { key_id: link.key_id, description: 'Link to the console, by the operator', scopes: link.scopes, expires_at: link.expires_at },
        session: { kind: 'link', expires_at: link.expires_at },
      });
      await callAdmin(gateway, 'POST', `/admin/v1/keys/${link.key_id}/revoke`);
      expect((await read('/open/v1/me', tokenOf(link))).code).toBe('40003');
    });

    test('is for the role support, and in the audit log of both sides', async () => {
      const operator = async (role: string) =>
        ((await callAdmin(gateway, 'POST', '/admin/v1/operators', { name: role, role })).json.data as unknown as CreatedOperator).token;
      expect((await create({}, await operator('read'))).code).toBe('40301');
      const link = linkOf(await create({ scopes: ['forecasts:write'], expires_in_seconds: 60 }, await operator('support')));
      const entries = async (): Promise<{ resource: { id: string }; actor: object; outcome: string }[]> =>
        (await callAdmin(gateway, 'GET', `/admin/v1/audit-log?tenant_id=${tenantId}&action=console_link.created`)).json.data[
          'entries'
        ] as unknown as [];
      const entry = await until(async () => (await entries()).find(({ resource }) => resource.id === link.key_id), { what: 'the entry' });
      expect(entry).toMatchObject({ actor: { type: 'operator', id: 'support' } });
    });

    test('is not for a tenant that does not exist, or is suspended', async () => {
      expect((await create({}, undefined, 'tnt_none')).code).toBe('40403');
      const id = String((await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name: 'Asleep' })).json.data['id']);
      await callAdmin(gateway, 'POST', `/admin/v1/tenants/${id}/suspend`);
      expect((await create({}, undefined, id)).code).toBe('40902');
    });
  });
});

describe('the retention of a tenant', () => {
  let retentionPath: string;
  beforeAll(async () => {
    const tenant = (await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name: 'Acme' })).json.data;
    retentionPath = `/admin/v1/tenants/${tenant['id']}/retention`;
  });

  test('the operator sets how long data of a tenant is kept', async () => {
    expect((await callAdmin(gateway, 'GET', retentionPath)).json.data).toMatchObject({ forecast_days: null, file_days: null });
    const set = await callAdmin(gateway, 'PATCH', retentionPath, { forecast_days: 400, file_days: 90 });
    expect(set.json.data).toMatchObject({ forecast_days: 400, file_days: 90 });
    await callAdmin(gateway, 'PATCH', retentionPath, { file_days: null });
    expect((await callAdmin(gateway, 'GET', retentionPath)).json.data).toMatchObject({ forecast_days: 400, file_days: null });
  });
});
