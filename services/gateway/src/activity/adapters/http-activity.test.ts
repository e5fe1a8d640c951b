import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditLog } from '@parcelway/contracts/activity-api';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { request } from 'undici';
import { createSqliteStores } from '../../adapters/sqlite-stores.ts';
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
