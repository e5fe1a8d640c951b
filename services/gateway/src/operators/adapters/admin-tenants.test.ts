import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CreatedTenant } from '@parcelway/contracts/admin-api';
import { callAdmin, callPublic, quickstartOf } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

/** What the other services respond, by the beginning of the path; for others they fail. */
const responses: Record<string, object> = {};
const asked: { path: string; body: string }[] = [];

function others(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const path = req.url ?? '';
    asked.push({ path, body: Buffer.concat(chunks).toString() });
    const found = Object.entries(responses).find(([start]) => path.startsWith(start));
    res.writeHead(found ? 200 : 503, { 'content-type': 'application/json' });
    res.end(JSON.stringify(found ? { code: '0', message: 'success', data: found[1] } : { code: '50301', message: 'out', data: null }));
  });
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(others);
});

/** Creates a tenant with a key, as one request of which this may be a repeat. */
const createWithKey = (name: string, key: string) =>
  callAdmin(gateway, 'POST', '/admin/v1/tenants', { name, with_key: true }, undefined, { 'idempotency-key': key });

describe('a tenant', () => {
  test('is created with a key in one call, which repeats with the same result', async () => {
    const first = await createWithKey('Acme', 'create-acme-1');
    const { id, key } = first.json.data as unknown as CreatedTenant;
    expect(key).toMatchObject({ tenant_id: id, created_by: null, revoke_time: null });
    expect((await callPublic(gateway, '/open/v1/me', key?.key)).status).toBe(200);
    const again = await createWithKey('Acme', 'create-acme-1');
    expect([again.headers['idempotent-replayed'], again.json.data]).toEqual(['true', first.json.data]);
    expect((await createWithKey('Other', 'create-acme-1')).json.code).toBe('40901');
    const { tenants } = (await callAdmin(gateway, 'GET', '/admin/v1/tenants')).json.data as unknown as { tenants: { name: string }[] };
    expect(tenants.filter(({ name }) => name === 'Acme')).toHaveLength(1);
  });

  test('is renamed, with a warning when another one has the name', async () => {
    const { tenant } = await quickstartOf(gateway);
    const rename = (id: string, name: unknown) => callAdmin(gateway, 'PATCH', `/admin/v1/tenants/${id}`, { name });
    expect((await rename(tenant.id, 'Renamed')).json.data).toMatchObject({ id: tenant.id, name: 'Renamed', warnings: [] });
    const other = (await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name: 'Second' })).json.data['id'];
    expect((await rename(String(other), 'Renamed')).json.data).toMatchObject({
      warnings: [{ field: 'name', message: expect.stringContaining(tenant.id) }],
    });
  });

  test('is shown with its figures', async () => {
    const { tenant } = await quickstartOf(gateway);
    const health = (state: string) => ({ state });
    responses['/internal/v1/forecasts/figures'] = {
      parcels: [{ status_name: 'ACCEPTED', count: 7, has_more: false }],
      last_change_time: '2026-11-21T08:00:00.000+00:00',
    };
    responses['/open/v1/webhook-endpoints'] = {
      endpoints: [
        { status: 'enabled', health: health('ok') },
        { status: 'enabled', health: health('failing') },
        { status: 'disabled', health: health('failing') },
      ],
    };
    expect((await callAdmin(gateway, 'GET', `/admin/v1/tenants/${tenant.id}`)).json.data).toMatchObject({
      id: tenant.id,
      status: 'active',
      keys: { alive: 1, has_more: false },
      webhook_endpoints: { enabled: 2, paused: 0, disabled: 1, failing: 1 },
      parcels: [{ status_name: 'ACCEPTED', count: 7, has_more: false }],
      last_activity_time: '2026-11-21T08:00:00.000+00:00',
    });
    expect(asked.map(({ path }) => path)).toContain(`/internal/v1/forecasts/figures?tenant_id=${tenant.id}`);
  });
});

test('the search for a tenant finds an id, and the beginnings of names', async () => {
  const made = async (name: string) => String((await callAdmin(gateway, 'POST', '/admin/v1/tenants', { name })).json.data['id']);
  const [two, one] = [await made('Zed Two'), await made('Zed One')];
  const found = async (search: string) => {
    const { json } = await callAdmin(gateway, 'GET', `/admin/v1/tenants?${new URLSearchParams({ search })}`);
    return (json.data as unknown as { tenants: { id: string }[] }).tenants.map(({ id }) => id);
  };
  expect(await found('Zed')).toEqual([one, two]);
  expect(await found(two)).toEqual([two]);
});

describe('the search for a parcel', () => {
  test('joins what the warehouses, the forecasts and the tenants say', async () => {
    const { tenant, warehouse } = await quickstartOf(gateway);
    const names = { tenant_id: tenant.id, forecast_no: 'FC1' };
    const gone = { tenant_id: 'tnt_gone', forecast_no: 'FC2', warehouse_code: warehouse.code, matched_by: 'po_number' };
    responses['/internal/v1/parcels/find'] = {
      parcels: [{ ...names, warehouse_code: warehouse.code, matched_by: 'tracking_number' }, gone],
      has_more: false,
    };
    const short = { po_number: 'PO-1', status_name: 'WEIGHED', weighing: null, dispatch: null, tracking: null };
    responses['/internal/v1/forecasts/short'] = { forecasts: [{ ...names, ...short }] };
    const { data } = (await callAdmin(gateway, 'GET', '/admin/v1/parcels?number=SF%201')).json;
    expect(data).toEqual({
      number: 'SF 1',
      parcels: [{ ...names, ...short, tenant_name: 'Renamed', warehouse_code: warehouse.code, matched_by: 'tracking_number' }],
      has_more: false,
    });
    const search = asked.find(({ path }) => path === '/internal/v1/parcels/find');
    expect(JSON.parse(search?.body ?? '')).toEqual({ number: 'SF 1', warehouse_codes: [warehouse.code] });
  });

  test('asks nobody about nothing, and fails while the intake is out', async () => {
    responses['/internal/v1/parcels/find'] = { parcels: [], has_more: false };
    asked.length = 0;
    expect((await callAdmin(gateway, 'GET', '/admin/v1/parcels?number=SF2')).json.data).toMatchObject({ parcels: [] });
    expect(asked.map(({ path }) => path)).toEqual(['/internal/v1/parcels/find']);
    delete responses['/internal/v1/parcels/find'];
    expect((await callAdmin(gateway, 'GET', '/admin/v1/parcels?number=SF2')).json.code).toBe('50301');
  });
});
