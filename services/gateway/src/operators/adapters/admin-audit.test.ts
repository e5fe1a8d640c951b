import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditLog } from '@parcelway/contracts/activity-api';
import type { OperatorAuditLog } from '@parcelway/contracts/operator-activity-api';
import { until } from '@parcelway/kernel/testing/until';
import { callAdmin, callPublic } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

describe('what operators did', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway((_req, res) => {
      res
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"code":"0","message":"success","data":{"endpoint_id":"ep_1","days":[]}}');
    });
  });

  const admin = async (method: string, path: string, body?: object) => (await callAdmin(gateway, method, path, body)).json;
  const logOf = async (query = ''): Promise<OperatorAuditLog> =>
    (await admin('GET', `/admin/v1/audit-log${query}`)).data as unknown as OperatorAuditLog;
  const settled = (query: string, count: number): Promise<OperatorAuditLog> =>
    until(
      async () => {
        const log = await logOf(query);
        return log.entries.length === count && log.entries.every(({ outcome }) => outcome === 'success') && log;
      },
      { what: `${count} entries of ${query}` },
    );

  test('is in the log with the name of the operator; what was refused is not', async () => {
    const { id } = (await admin('POST', '/admin/v1/tenants', { name: 'Audited' })).data as unknown as { id: string };
    const issued = (await admin('POST', '/admin/v1/keys', { tenant_id: id, scopes: ['keys:manage'] })).data as unknown as {
      key_id: string;
      key: string;
    };
    await admin('POST', `/admin/v1/tenants/${id}/webhook-endpoints`, { url: 'https://a.example/' });
    await admin('POST', `/admin/v1/tenants/${id}/webhook-endpoints/ep_1/test`, {});
    await admin('PATCH', `/admin/v1/tenants/${id}`, { name: '' });
    await admin('POST', '/admin/v1/warehouses', { code: 'W9', name: 'Ninth' });
    const { entries } = await settled(`?tenant_id=${id}`, 2);
    const by = { actor: { type: 'operator', id: 'admin', address: null }, tenant_id: id, outcome: 'success' };
    expect(entries).toMatchObject([
      { ...by, action: 'endpoint.created', resource: { type: 'endpoint', id: 'ep_1' } },
      { ...by, action: 'key.created', resource: { type: 'key', id: issued.key_id } },
    ]);
    const all = await settled('?operator=admin', 4);
    expect(all.entries.map(({ action, resource, tenant_id }) => [action, resource.id, tenant_id])).toEqual([
      ['warehouse.created', 'W9', null],
      ['endpoint.created', 'ep_1', id],
      ['key.created', issued.key_id, id],
      ['tenant.created', id, null],
    ]);
    expect((await logOf('?operator=nobody')).entries).toEqual([]);
    expect((await logOf('?action=warehouse.created')).entries).toHaveLength(1);

    // The tenant sees its own, and not which person it was.
    const { text } = await callPublic(gateway, '/open/v1/audit-log', issued.key);
    const own = (JSON.parse(text) as { data: AuditLog }).data;
    expect(own.entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['endpoint.created', { type: 'operator', id: null, address: null }],
      ['key.created', { type: 'operator', id: null, address: null }],
    ]);
  });
});
