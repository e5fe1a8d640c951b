import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import type { ConsoleLink } from '@parcelway/contracts/console-api';
import { deadLetterTopic } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { request } from 'undici';
import { bodyOf, callAdmin, callPublic, type Envelope, quickstartOf } from '../../testing/gateway-client.ts';
import { echo } from '../../testing/harness.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(echo);
});

test('a list has pages, and takes no cursor of another list', async () => {
  const list = async (path: string) => (await callAdmin(gateway, 'GET', `/admin/v1/${path}`)).json.data as Record<string, unknown>;
  const first = await list('keys?limit=1');
  const second = await list(`keys?limit=1&cursor=${first['next_cursor']}`);
  expect([...(first['keys'] as object[]), ...(second['keys'] as object[])]).toEqual((await list('keys'))['keys']);
  expect(second['next_cursor']).toBeNull();
  expect(await list(`tenants?cursor=${first['next_cursor']}`)).toMatchObject({ errors: [{ field: 'cursor', rule: 'cursor' }] });
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

  test('lists dead letters of known topics, and discards and redrives them', async () => {
    const topic = 'gateway.events.v1';
    await gateway.bus.publish(['x', 'y'].map((value) => ({ topic: deadLetterTopic(topic), key: 'k', value })));
    const listed = async () =>
      (await callAdmin(gateway, 'GET', `/admin/v1/dead-letters?topic=${topic}`)).json.data['dead_letters'] as unknown as DeadLetterView[];
    await until(async () => (await listed()).length === 2, { what: 'two dead letters' });
    const [first, second] = (await listed()).map(({ partition, offset }) => ({ partition, offset }));
    const discard = (dead_letters: unknown) => callAdmin(gateway, 'POST', '/admin/v1/dead-letters/discard', { topic, dead_letters });
    expect((await discard([first])).json.data).toMatchObject({ discarded: 1, dead_letters: [{ ...first, topic, value: 'x' }] });
    expect(await listed()).toMatchObject([{ ...second, value: 'y' }]);
    expect((await callAdmin(gateway, 'POST', '/admin/v1/dead-letters/redrive', { topic })).json.data).toEqual({
      redriven: 1,
      passed_over: 0,
    });
    for (const route of ['redrive', 'discard'])
      expect(
        (await callAdmin(gateway, 'POST', `/admin/v1/dead-letters/${route}`, { topic: 'other', dead_letters: [first] })).json.code,
      ).toBe('42201');
    expect((await callAdmin(gateway, 'GET', '/admin/v1/dead-letters?topic=other')).json.code).toBe('42201');
  });

  test('speaks to services on behalf of the platform and of a tenant', async () => {
    expect((await callAdmin(gateway, 'GET', '/admin/v1/unclaimed?limit=7')).json.data).toMatchObject({
      url: '/internal/v1/unclaimed?limit=7',
    });
    expect((await callAdmin(gateway, 'GET', '/admin/v1/resolutions?warehouse_code=WH1&limit=7')).json.data).toMatchObject({
      url: '/internal/v1/resolutions?warehouse_code=WH1&limit=7',
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
      headers: expect.objectContaining({ 'content-type': 'application/json' }),
    });
    expect((await callAdmin(gateway, 'GET', '/admin/v1/tenants/none/webhook-endpoints')).json.code).toBe('40403');
    const connections = '/v1/carrier-connections';
    const change = { carriers: ['ups'] };
    expect((await callAdmin(gateway, 'GET', `/admin${connections}`)).json.data).toMatchObject({ url: `/internal${connections}` });
    expect((await callAdmin(gateway, 'PATCH', `/admin${connections}/a%2Fb`, change)).json.data).toMatchObject({
      url: `/internal${connections}/a%2Fb`,
      method: 'PATCH',
      body: JSON.stringify(change),
    });
  });
});

describe("an operator's link to the console", () => {
  const create = async (id: string, body: object | undefined, token?: string): Promise<Envelope> =>
    (await callAdmin(gateway, 'POST', `/admin/v1/tenants/${id}/console-links`, body, token)).json;

  test('reads for an hour, and either side ends it by its key', async () => {
    const tenantId = (await quickstartOf(gateway)).tenant.id;
    const link = (await create(tenantId, undefined)).data as unknown as ConsoleLink;
    expect(link).toMatchObject({ scopes: ['weighing:read', 'tracking:read'], warnings: [] });
    const token = link.url.split('/console#link=')[1];
    const me = async () => bodyOf(await callPublic(gateway, '/open/v1/me', token));
    expect((await me()).data).toMatchObject({
      tenant: { id: tenantId },
      key: { key_id: link.key_id, description: 'Link to the console, by the operator', scopes: link.scopes, expires_at: link.expires_at },
      session: { kind: 'link', expires_at: link.expires_at },
    });
    await callAdmin(gateway, 'POST', `/admin/v1/keys/${link.key_id}/revoke`);
    expect((await me()).code).toBe('40003');
  });

  test('is not for a tenant that does not exist, or is suspended', async () => {
    expect((await create('tnt_none', {})).code).toBe('40403');
    const id = String((await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name: 'Asleep' })).json.data['id']);
    await callAdmin(gateway, 'POST', `/admin/v1/tenants/${id}/suspend`);
    expect((await create(id, {})).code).toBe('40902');
  });
});

test('the operator sets how long data of a tenant is kept', async () => {
  const path = `/admin/v1/tenants/${(await quickstartOf(gateway)).tenant.id}/retention`;
  const set = await callAdmin(gateway, 'PATCH', path, { forecast_days: 400, file_days: 90 });
  expect(set.json.data).toMatchObject({ forecast_days: 400, file_days: 90 });
  await callAdmin(gateway, 'PATCH', path, { file_days: null });
  expect((await callAdmin(gateway, 'GET', path)).json.data).toMatchObject({ forecast_days: 400, file_days: null });
});
