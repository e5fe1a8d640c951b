import { afterEach, describe, expect, test } from '@jest/globals';
import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import { defaultTenantScopes, tenantScopes } from '@parcelway/contracts/scopes';
import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { request } from 'undici';
import { bodyOf, callAdmin, callPublic, others, quickstartOf } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

let gateway: TestGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

describe("the operator's API", () => {
  test('needs the token', async () => {
    gateway = await startGateway(others);
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
    gateway = await startGateway(others);
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

  test('changes and rotates keys', async () => {
    gateway = await startGateway(others);
    const { tenant } = await quickstartOf(gateway);
    const issued = await callAdmin(gateway, 'POST', '/admin/v1/keys', { tenant_id: tenant.id, allowed_addresses: ['198.51.100.7/24'] });
    expect(issued.json.data).toMatchObject({ allowed_addresses: ['198.51.100.0/24'], created_by: null, scopes: defaultTenantScopes });
    const id = String(issued.json.data['key_id']);
    const key = String(issued.json.data['key']);
    expect(bodyOf(await callPublic(gateway, '/open/v1/warehouses', key)).code).toBe('40301');
    const change = { allowed_addresses: [], scopes: tenantScopes, description: 'ERP', expires_in_seconds: 3600 };
    expect((await callAdmin(gateway, 'PATCH', `/admin/v1/keys/${id}`, change)).json.data).toMatchObject({
      allowed_addresses: [],
      scopes: tenantScopes,
      description: 'ERP',
      expire_time: expect.any(String),
    });
    expect((await callPublic(gateway, '/open/v1/keys', key)).status).toBe(200);
    const unending = await callAdmin(gateway, 'PATCH', `/admin/v1/keys/${id}`, { expires_in_seconds: null });
    expect(unending.json.data).toMatchObject({ expire_time: null });
    const rotated = (await callAdmin(gateway, 'POST', `/admin/v1/keys/${id}/rotate`, { overlap_seconds: 0 })).json.data;
    expect(rotated).toMatchObject({ rotated_from: id, scopes: tenantScopes, former_expire_time: expect.any(String) });
    expect(bodyOf(await callPublic(gateway, '/open/v1/warehouses', key)).code).toBe('40003');
    expect((await callPublic(gateway, '/open/v1/warehouses', String(rotated['key']))).status).toBe(200);
    expect((await callAdmin(gateway, 'POST', `/admin/v1/keys/${id}/rotate`)).json.code).toBe('40902');
    expect((await callAdmin(gateway, 'PATCH', '/admin/v1/keys/key_none', { description: 'x' })).json.code).toBe('40403');
    for (const wrong of [{}, { scopes: [] }, { scopes: ['warehouse:write'] }, { allowed_addresses: ['x'] }, { rate_limit: 'off' }])
      expect([wrong, (await callAdmin(gateway, 'PATCH', `/admin/v1/keys/${rotated['key_id']}`, wrong)).json.code]).toEqual([
        wrong,
        '42201',
      ]);
  });

  test('names an unknown parameter of a query', async () => {
    gateway = await startGateway(others);
    const warned = async (path: string) => (await callAdmin(gateway, 'GET', `/admin/v1/${path}`)).json.data['warnings'];
    expect(await warned('keys?tenant=tnt_1')).toMatchObject([
      { field: 'tenant', message: expect.stringContaining('tenant_id, warehouse_code') },
    ]);
    expect(await warned(`dead-letters?topic=${topics.forecast}&max=1`)).toMatchObject([{ field: 'max' }]);
    expect(await warned('tenants?name=Acme')).toMatchObject([{ field: 'name' }]);
    expect(await warned('keys')).toBeUndefined();
    const { tenant } = await quickstartOf(gateway);
    expect(bodyOf(await callPublic(gateway, '/open/v1/warehouses?code=LA', tenant.api_key)).data).toMatchObject({
      warehouses: expect.any(Array),
      warnings: [{ field: 'code' }],
    });
  });

  test('says what is wrong with a body', async () => {
    gateway = await startGateway(others);
    expect(await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name: '' })).toMatchObject({ status: 422, json: { code: '42201' } });
    expect((await callAdmin(gateway, 'POST', '/admin/v1/keys', {})).json.code).toBe('42201');
    expect((await callAdmin(gateway, 'POST', '/admin/v1/keys', { tenant_id: 'a', warehouse_code: 'b' })).json.code).toBe('42201');
    expect((await callAdmin(gateway, 'POST', '/admin/v1/keys', { tenant_id: 'tnt_none' })).json.code).toBe('40403');
    const { tenant } = await quickstartOf(gateway);
    const foreign = await callAdmin(gateway, 'POST', '/admin/v1/keys', { tenant_id: tenant.id, scopes: ['warehouse:write'] });
    expect(foreign.json.data).toMatchObject({ errors: [{ field: 'scopes[0]', rule: 'enum' }] });
    expect((await callAdmin(gateway, 'POST', '/admin/v1/keys/key_none/revoke')).json.code).toBe('40403');
    expect((await callAdmin(gateway, 'POST', '/admin/v1/tenants/none/suspend')).json.code).toBe('40403');
  });

  test('lists and redrives dead letters of known topics', async () => {
    gateway = await startGateway(others);
    expect((await callAdmin(gateway, 'GET', '/admin/v1/dead-letters?topic=warehouse.intake.v1')).json.data).toEqual({ dead_letters: [] });
    expect((await callAdmin(gateway, 'POST', '/admin/v1/dead-letters/redrive', { topic: 'warehouse.intake.v1' })).json.data).toEqual({
      redriven: 0,
      passed_over: 0,
    });
    expect((await callAdmin(gateway, 'GET', '/admin/v1/dead-letters?topic=other')).json.code).toBe('42201');
    expect((await callAdmin(gateway, 'POST', '/admin/v1/dead-letters/redrive', { topic: 'other' })).json.code).toBe('42201');
  });

  test('discards the dead letters that are named', async () => {
    gateway = await startGateway(others);
    const topic = 'gateway.events.v1';
    await gateway.bus.publish(['x', 'y'].map((value) => ({ topic, key: 'k', value })));
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
    for (const wrong of [
      undefined,
      [],
      [first, first],
      [{ partition: -1, offset: '0' }],
      [{ partition: 0, offset: '01' }],
      [{ partition: 0 }],
    ])
      expect([wrong, (await discard(wrong)).json.code]).toEqual([wrong, '42201']);
    expect(await listed()).toHaveLength(1);
  });

  test('speaks to services on behalf of the platform and of a tenant', async () => {
    gateway = await startGateway(others);
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
