import { beforeAll, expect, test } from '@jest/globals';
import type { AuditLog, FailedCallList } from '@parcelway/contracts/activity-api';
import type { OperatorAuditLog } from '@parcelway/contracts/operator-activity-api';
import { until } from '@parcelway/kernel/testing/until';
import { callAdmin, callPublic } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

/* What operators did, and what they see of the calls of a tenant. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway((_req, res) => {
    const body = '{"code":"0","message":"success","data":{"endpoint_id":"ep_1","days":[]}}';
    res.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
});

const admin = async <T>(method: string, path: string, body?: object): Promise<T> =>
  (await callAdmin(gateway, method, `/admin/v1/${path}`, body)).json.data as T;
const logOf = (query: string) => admin<OperatorAuditLog>('GET', `audit-log?${query}`);
const newTenant = async (name: string) => {
  const { id } = await admin<{ id: string }>('POST', 'tenants', { name });
  return { id, ...(await admin<{ key_id: string; key: string }>('POST', 'keys', { tenant_id: id, scopes: ['keys:manage'] })) };
};

test('what an operator changes is in the log with the name of the operator; what was refused is not', async () => {
  const { id, key, key_id } = await newTenant('Audited');
  await admin('POST', `tenants/${id}/webhook-endpoints`, { url: 'https://a.example/' });
  await admin('POST', `tenants/${id}/webhook-endpoints/ep_1/test`, {});
  await admin('PATCH', `tenants/${id}`, { name: '' });
  await admin('POST', 'warehouses', { code: 'W9', name: 'Ninth' });
  const all = await until(
    async () => {
      const { entries } = await logOf('operator=admin');
      return entries.length === 4 && entries.every(({ outcome }) => outcome === 'success') && entries;
    },
    { what: 'the entries' },
  );
  expect(all.map(({ action, resource, tenant_id, actor }) => [action, resource.id, tenant_id, actor.id])).toEqual([
    ['warehouse.created', 'W9', null, 'admin'],
    ['endpoint.created', 'ep_1', id, 'admin'],
    ['key.created', key_id, id, 'admin'],
    ['tenant.created', id, null, 'admin'],
  ]);
  expect((await logOf(`tenant_id=${id}`)).entries).toHaveLength(2);
  expect((await logOf('operator=nobody')).entries).toEqual([]);
  expect((await logOf('action=warehouse.created')).entries).toHaveLength(1);

  // The tenant sees its own, and not which person it was.
  const { text } = await callPublic(gateway, '/open/v1/audit-log', key);
  const own = (JSON.parse(text) as { data: AuditLog }).data;
  const actor = { type: 'operator', id: null, address: null };
  expect(own.entries).toMatchObject([
    { action: 'endpoint.created', actor },
    { action: 'key.created', actor },
  ]);
});

test('the failed calls of a tenant are those that the tenant sees, and nobody else’s', async () => {
  const [one, other] = [await newTenant('Fails'), await newTenant('Other')];
  for (const { key } of [one, other]) await callPublic(gateway, '/open/v1/forecasts/weighing?po_number=PO1', key);
  const callsOf = ({ id }: { id: string }, query = '') => admin<FailedCallList>('GET', `tenants/${id}/requests${query}`);
  const [call] = await until(async () => (await callsOf(one)).requests.length > 0 && (await callsOf(one)).requests, { what: 'the call' });
  expect(call).toMatchObject({ code: '40301', key_id: one.key_id, route: '/open/v1/forecasts/weighing' });
  const { text } = await callPublic(gateway, '/open/v1/requests', one.key);
  expect((JSON.parse(text) as { data: FailedCallList }).data.requests).toEqual([call]);
  expect((await callsOf(one, `?request_id=${call?.request_id}`)).requests).toEqual([call]);
  expect((await callsOf(other, `?request_id=${call?.request_id}`)).requests).toEqual([]);
  expect((await callsOf(one, `?key_id=${other.key_id}`)).requests).toEqual([]);
  expect((await callsOf(one, '?code=42201')).requests).toEqual([]);
});
