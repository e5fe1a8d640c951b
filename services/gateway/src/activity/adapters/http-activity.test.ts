import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditLog, FailedCallList, Usage } from '@parcelway/contracts/activity-api';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { request } from 'undici';
import { createSqliteStores } from '../../accounts/adapters/sqlite-stores.ts';
import { startGateway, type TestGateway } from '../../testing/harness.ts';
import type { CountedDay } from '../domain/usage-of-days.ts';
import { type Activity, openActivity } from '../open-activity.ts';
import { addActivityRoutes } from './http-activity.ts';

const envelope = (code: string, message: string, data: unknown) => JSON.stringify({ code, message, data });

describe('what a tenant sees of its calls', () => {
  let gateway: TestGateway;
  let activity: Activity;
  let db: SqliteDatabase;
  let counted: CountedDay[];
  let respond: (url: string) => { status: number; body: string; headers?: Record<string, string> };
  beforeEach(async () => {
    counted = [];
    respond = () => ({ status: 200, body: envelope('0', 'success', { endpoint_id: 'ep_1' }) });
    db = new SqliteDatabase(':memory:');
    const stores = createSqliteStores(db, systemClock).activity;
    activity = openActivity(stores, systemClock, silentLogger);
    const services = { read: async () => counted };
    gateway = await startGateway(
      (req, res) => {
        const { status, body, headers = {} } = respond(String(req.url));
        res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      },
      {
        observer: activity.observer,
        respondHere: (router) => addActivityRoutes(router, { stores, services, clock: systemClock, fileSecrets: ['a secret'] }),
      },
    );
  });
  afterEach(async () => {
    await gateway[Symbol.asyncDispose]();
    await activity.stop();
    db.close();
  });

  const keyOf = async (tenantId = 'tnt_1') =>
    gateway.issue({ holder: { kind: 'tenant', tenantId }, scopes: ['keys:manage', 'forecasts:write', 'webhooks:manage'] });
  async function read<T>(path: string, key: string): Promise<T> {
    await activity.flush();
    const { status, json } = await gateway.call(path, { key });
    expect([status, json.message]).toEqual([200, 'success']);
    return json.data as T;
  }
  const post = (path: string, key: string, headers = {}) =>
    gateway.call(path, { method: 'POST', key, body: '{}', headers: { 'content-type': 'application/json', ...headers } });

  test('a change is in the audit log with who made it, and of what', async () => {
    const { key, record } = await keyOf();
    respond = () => ({ status: 200, body: envelope('0', 'success', { endpoint_id: 'ep_1' }) });
    await post('/open/v1/webhook-endpoints', key, { 'x-request-id': 'mine-1' });
    await post('/open/v1/forecasts/PO%2F1/cancel', key);
    const { entries } = await read<AuditLog>('/open/v1/audit-log', key);
    expect(entries).toMatchObject([
      { action: 'forecast.cancelled', resource: { type: 'forecast', id: 'PO/1' }, outcome: 'success' },
      {
        action: 'endpoint.created',
        actor: { type: 'key', id: record.keyId, address: '127.0.0.1' },
        resource: { type: 'endpoint', id: 'ep_1' },
        outcome: 'success',
        request_id: 'mine-1',
      },
    ]);
    expect((await read<AuditLog>('/open/v1/audit-log?action=endpoint.created', key)).entries).toHaveLength(1);
    const page = await read<AuditLog>('/open/v1/audit-log?limit=1', key);
    const next = await read<AuditLog>(`/open/v1/audit-log?limit=1&cursor=${page.next_cursor}`, key);
    expect([page, next].flatMap(({ entries }) => entries.map(({ action }) => action))).toEqual(['forecast.cancelled', 'endpoint.created']);
    expect(next.next_cursor).toBeNull();
  });

  test('what was refused, or repeated, is no change; what failed may be one', async () => {
    const { key } = await keyOf();
    respond = () => ({ status: 409, body: envelope('40902', 'Too late', null) });
    await post('/open/v1/forecasts/PO1/cancel', key);
    respond = () => ({ status: 200, body: envelope('0', 'success', {}), headers: { 'Idempotent-Replayed': 'true' } });
    await post('/open/v1/forecasts/PO2/cancel', key);
    respond = () => ({ status: 503, body: envelope('50301', 'Out', null) });
    await post('/open/v1/forecasts/PO3/cancel', key);
    await post('/open/v1/forecasts', key);
    const { entries } = await read<AuditLog>('/open/v1/audit-log', key);
    expect(entries.map(({ resource, outcome }) => [resource.id, outcome])).toEqual([['PO3', 'unknown']]);
  });

  test('a change that cannot be kept is not made', async () => {
    const { key } = await keyOf();
    let forwarded = 0;
    respond = () => {
      forwarded += 1;
      return { status: 200, body: envelope('0', 'success', {}) };
    };
    await db.transaction(() => db.run('ALTER TABLE audit_entries RENAME TO gone'));
    const { status, json } = await post('/open/v1/forecasts/PO1/cancel', key);
    expect([status, json.code, forwarded]).toEqual([503, '50301', 0]);
    expect(json.message).toBe('The audit log cannot be written, so nothing was changed; try again');
    expect((await post('/open/v1/forecasts', key)).status).toBe(200);
  });

  test('failed calls are found with what the response said, and nobody else’s', async () => {
    await gateway.stores.tenants.add({ id: 'tnt_2', name: 'Other', status: 'active', createdAt: 1 });
    const [{ key, record }, other] = [await keyOf(), await keyOf('tnt_2')];
    const data = { errors: [{ field: 'due_date', rule: 'required', message: 'due_date is required' }] };
    respond = () => ({ status: 422, body: envelope('42201', 'due_date is required', data) });
    await post('/open/v1/forecasts?validate_only=true', key, { 'x-request-id': 'mine-1' });
    await gateway.call('/open/v1/weighing', { key });
    await gateway.call('/open/v1/forecasts/weighing?po_number=PO1', { key });
    await post('/open/v1/forecasts', other.key);
    const { requests } = await read<FailedCallList>('/open/v1/requests', key);
    expect(requests).toMatchObject([
      // The key lacks weighing:read.
      { method: 'GET', route: '/open/v1/forecasts/weighing', path: '/open/v1/forecasts/weighing', status: 403, code: '40301' },
      {
        request_id: 'mine-1',
        method: 'POST',
        route: '/open/v1/forecasts',
        path: '/open/v1/forecasts',
        status: 422,
        code: '42201',
        message: 'due_date is required',
        data,
        key_id: record.keyId,
      },
    ]);
    expect((await read<FailedCallList>('/open/v1/requests?request_id=mine-1', key)).requests).toHaveLength(1);
    expect((await read<FailedCallList>('/open/v1/requests?code=40301', key)).requests).toHaveLength(1);
    expect((await read<FailedCallList>(`/open/v1/requests?key_id=${other.record.keyId}`, key)).requests).toEqual([]);
    expect((await read<FailedCallList>('/open/v1/requests', other.key)).requests).toHaveLength(1);
  });

  test('own failures of the gateway are recorded as those of services', async () => {
    const { key } = await keyOf();
    await gateway.call('/open/v1/audit-log?limit=0&cursor=x', { key });
    const { requests } = await read<FailedCallList>('/open/v1/requests', key);
    expect(requests).toMatchObject([{ route: '/open/v1/audit-log', status: 422, code: '42201' }]);
    expect(requests[0]?.data).toMatchObject({ errors: [{ field: 'limit' }, { field: 'cursor' }] });
  });

  test('the usage adds up what the gateway and the services counted', async () => {
    const { key } = await keyOf();
    const today = new Date().toISOString().slice(0, 10);
    counted = [{ day: today, amounts: { parcels: 3, events: 7, files: 2, stored_bytes: 1000, storage_files: 5, storage_bytes: 4000 } }];
    await post('/open/v1/forecasts', key);
    await gateway.call('/open/v1/forecasts/weighing?po_number=PO1', { key });
    const { days, total } = await read<Usage>(`/open/v1/usage?from_date=${today}&to_date=${today}`, key);
    const used = { calls: 2, failed_calls: 1, parcels: 3, events: 7, files: 2, stored_bytes: 1000, storage: { files: 5, bytes: 4000 } };
    expect(days).toEqual([{ date: today, ...used }]);
    expect(total).toEqual(used);
    const { json } = await gateway.call('/open/v1/usage?from_date=2026-01-02&to_date=2026-01-01', { key });
    expect(json.data).toEqual({
      errors: [{ field: 'from_date', rule: 'range', message: 'from_date must not be after to_date (2026-01-01)' }],
    });
  });

  test('calls of a suspended tenant are not noted', async () => {
    const { key } = await keyOf();
    await gateway.stores.tenants.setStatus('tnt_1', 'suspended');
    gateway.gateway.keyRing.forgetTenant('tnt_1');
    expect((await gateway.call('/open/v1/audit-log', { key })).status).toBe(403);
    await gateway.stores.tenants.setStatus('tnt_1', 'active');
    gateway.gateway.keyRing.forgetTenant('tnt_1');
    expect((await read<FailedCallList>('/open/v1/requests', key)).requests).toEqual([]);
  });

  test('a client that leaves before its change goes on leaves no entry', async () => {
    const { key } = await keyOf();
    let goOn = (): void => undefined;
    let forwarded = 0;
    respond = () => {
      forwarded += 1;
      return { status: 200, body: envelope('0', 'success', {}) };
    };
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { begin } = activity.trail;
    let asked = 0;
    activity.trail.begin = async (change) => {
      asked += 1;
      await held;
      return begin.call(activity.trail, change);
    };
    const leaving = new AbortController();
    const call = leave(`${gateway.origin}/open/v1/forecasts/PO1/cancel`, key, leaving.signal);
    await until(() => asked === 1);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await until(() => [...gateway.serverSockets].some(({ destroyed }) => destroyed));
    goOn();
    await until(async () => (await read<AuditLog>('/open/v1/audit-log', key)).entries.length === 0);
    expect(forwarded).toBe(0);
  });

  function leave(url: string, key: string, signal: AbortSignal) {
    return request(url, { method: 'POST', headers: { 'x-api-key': key }, dispatcher: gateway.agent, signal });
  }
});
