import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CreatedOperator } from '@parcelway/contracts/operator-api';
import { request } from 'undici';
import { callAdmin, quickstartOf } from '../../testing/gateway-client.ts';
import { echo } from '../../testing/harness.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';
import { type AdminRoute, adminRoutes } from './admin-routes.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(echo);
});

async function create(name: string, role: string, more: object = {}): Promise<CreatedOperator> {
  return (await callAdmin(gateway, 'POST', '/admin/v1/operators', { name, role, ...more })).json.data as unknown as CreatedOperator;
}

test('operators are created, listed and revoked, their tokens shown once', async () => {
  const made = await create('li', 'read', { expires_in_seconds: 3600 });
  expect(made).toMatchObject({ name: 'li', role: 'read', state: 'active', revoke_time: null, token: expect.stringMatching(/^pfo_/) });
  const { json } = await callAdmin(gateway, 'GET', '/admin/v1/operator', undefined, made.token);
  expect(json.data).toEqual({ name: 'li', role: 'read', environment: 'sandbox' });
  const listed = (await callAdmin(gateway, 'GET', '/admin/v1/operators')).json.data;
  expect(listed).toMatchObject({ operators: [{ name: 'li', state: 'active' }] });
  expect(JSON.stringify(listed)).not.toContain(made.token);
  expect((await callAdmin(gateway, 'POST', '/admin/v1/operators/li/revoke')).json.data).toMatchObject({ state: 'revoked' });
  expect((await callAdmin(gateway, 'GET', '/admin/v1/tenants', undefined, made.token)).json.code).toBe('40003');
});

test('the id of a connection, at which pushes arrive, is shown in full to the role admin alone', async () => {
  const id = `con_${'a1'.repeat(12)}`;
  const body = JSON.stringify({
    code: '0',
    message: 'success',
    data: { connections: [{ connection_id: id, push_url: `https://a/ups/${id}` }] },
  });
  const served = await startGateway((_req, res) => void res.writeHead(200, { 'content-type': 'application/json' }).end(body));
  const { tenant } = await quickstartOf(served);
  for (const role of ['read', 'support', 'admin']) {
    const made = await callAdmin(served, 'POST', '/admin/v1/operators', { name: role === 'admin' ? 'chief' : role, role });
    const shown = role === 'admin' ? id : 'con_a1a1a1…';
    for (const path of ['carrier-connections', `carrier-connections/${id}`, `tenants/${tenant.id}/carrier-connections`]) {
      const { json } = await callAdmin(served, 'GET', `/admin/v1/${path}`, undefined, String(made.json.data['token']));
      expect(json.data).toEqual({ connections: [{ connection_id: shown, push_url: `https://a/ups/${shown}` }] });
    }
  }
});

test("the operators' page is served without a token, and what is beside it is not", async () => {
  const read = async (path: string) => {
    const { statusCode, headers, body } = await request(`${gateway.addresses.adminUrl}${path}`);
    await body.dump();
    return [statusCode, headers['location']];
  };
  expect(await read('/')).toEqual([308, 'operator']);
  // Built or not: the page, or that it has not been built.
  expect([200, 503]).toContain((await read('/operator'))[0]);
  expect(await read('/operator/assets/none.js')).toEqual([404, undefined]);
  expect(await read('/operator/other')).toEqual([401, undefined]);
});

describe('roles', () => {
  const exampleOf = (path: string): string => path.replace(/:\w+/g, 'x');

  test.each([
    ['read', ['support', 'admin']],
    ['support', ['admin']],
  ] as const)('%s is refused what it may not do, on every route, with the role that is needed', async (role, refused) => {
    const { token } = await create(`all-${role}`, role);
    const results: [string, string, string][] = [];
    for (const [route, { role: needed }] of Object.entries(adminRoutes)) {
      const [method = '', path = ''] = route.split(' ');
      const { json } = await callAdmin(gateway, method, exampleOf(path), method === 'GET' ? undefined : {}, token);
      results.push([
        route,
        json.code === '40301' ? 'refused' : 'passed',
        (refused as readonly string[]).includes(needed) ? 'refused' : 'passed',
      ]);
      if (json.code === '40301') expect(json.data).toEqual({ required_role: needed, role });
    }
    expect(results.filter(([, got, wanted]) => got !== wanted)).toEqual([]);
    expect(results).toHaveLength(Object.keys(adminRoutes).length);
  });

  test('read changes nothing', () => {
    const changing = Object.entries<AdminRoute>(adminRoutes).filter(([route]) => !route.startsWith('GET '));
    expect(changing.length).toBeGreaterThan(20);
    expect(changing.filter(([, { role }]) => role === 'read')).toEqual([]);
  });

  test('support manages the keys of tenants, and not those of warehouses', async () => {
    const { token } = await create('keys', 'support');
    const { tenant, warehouse } = await quickstartOf(gateway);
    const issue = (holder: object) => callAdmin(gateway, 'POST', '/admin/v1/keys', holder, token);
    const id = String((await issue({ tenant_id: tenant.id })).json.data['key_id']);
    const act = async (path: string, method = 'POST', body?: object) =>
      (await callAdmin(gateway, method, `/admin/v1/keys/${path}`, body, token)).json.code;
    expect([await act(id, 'PATCH', { description: 'x' }), await act(`${id}/rotate`), await act(`${id}/revoke`)]).toEqual(['0', '0', '0']);
    expect((await issue({ warehouse_code: warehouse.code })).json).toMatchObject({ code: '40301', data: { required_role: 'admin' } });
    const foreign = (await callAdmin(gateway, 'POST', '/admin/v1/keys', { warehouse_code: warehouse.code })).json.data['key_id'];
    const refused = [
      await act(`${foreign}`, 'PATCH', { description: 'x' }),
      await act(`${foreign}/rotate`),
      await act(`${foreign}/revoke`),
    ];
    expect(refused).toEqual(['40301', '40301', '40301']);
  });
});
