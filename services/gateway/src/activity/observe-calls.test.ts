import type { Socket } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditLog } from '@parcelway/contracts/activity-api';
import type { ConsoleLink, ConsoleSession } from '@parcelway/contracts/console-api';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { addConsoleRoutes } from '../keys/adapters/http-console.ts';
import { SessionTokens } from '../proxy/domain/session.ts';
import { ends } from '../testing/ends.ts';
import { remoteServicesAt, sendHead, startGateway, TEST_SECRET, type TestGateway } from '../testing/harness.ts';
import { storesIn } from '../testing/set-up-stores.ts';
import { addActivityRoutes } from './adapters/http-activity.ts';
import type { AuditRecord } from './audit-collection.ts';
import { type Activity, type ActivityStores, openActivity } from './open-activity.ts';

describe('what is noted of calls', () => {
  let gateway: TestGateway;
  let activity: Activity;
  let db: SqliteDatabase;
  let logs: ActivityStores;
  let forwarded: string[];
  let respond: (url: string) => { status: number; body: string } | undefined;
  beforeEach(async () => {
    forwarded = [];
    respond = () => ({ status: 200, body: '{"code":"0","message":"success","data":{"endpoint_id":"ep_1"}}' });
    db = new SqliteDatabase(':memory:');
    logs = storesIn(db).activity;
    activity = openActivity(logs, systemClock, silentLogger);
    ends.push(() => activity.stop().then(() => db.close()));
    const sessions = new SessionTokens([TEST_SECRET]);
    gateway = await startGateway(
      (req, res) => {
        forwarded.push(String(req.url));
        const response = respond(String(req.url));
        if (response !== undefined) res.writeHead(response.status, { 'content-type': 'application/json' }).end(response.body);
      },
      {
        clear: true,
        limitRates: false,
        observer: activity.observer,
        sessions,
        respondHere(router) {
          addConsoleRoutes(router, { sessions, clock: systemClock, publicBaseUrl: 'https://x.test' });
          addActivityRoutes(router, logs, async () => [], { clock: systemClock, fileSecrets: [TEST_SECRET] });
        },
      },
    );
  });

  const issue = (given = {}) => gateway.issue({ scopes: ['keys:manage', 'forecasts:write', 'webhooks:manage'], ...given });
  const secure = { 'x-forwarded-proto': 'https' };
  const post = (path: string, key: string, body?: string, headers = {}) =>
    gateway.call(path, {
      method: 'POST',
      key,
      headers: { ...secure, ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body }),
    });
  async function read(path: string, key: string): Promise<AuditLog> {
    await activity.flush();
    const { status, json } = await gateway.call(`/open/v1/audit-log${path}`, { key, headers: secure });
    expect([status, json.message]).toEqual([200, 'success']);
    return json.data as unknown as AuditLog;
  }
  async function entries(): Promise<readonly AuditRecord[]> {
    await activity.flush();
    return (await logs.audit.list('tnt_1', { limit: 500 })).records;
  }
  /** Sends the beginning of a request whose body has ten bytes. */
  function sendPart(head: string, key: string): Socket {
    const socket = sendHead(gateway, head, key, 'Content-Type: application/json\r\nContent-Length: 10\r\n');
    socket.write('{');
    return socket;
  }

  test('a change, with who made it and of what, page by page', async () => {
    const { key, record } = await issue();
    await post('/open/v1/webhook-endpoints', key, '{}', { 'x-request-id': 'mine-1' });
    await post('/open/v1/forecasts/PO%2F1/cancel', key);
    expect((await read('', key)).entries).toMatchObject([
      { action: 'forecast.cancelled', resource: { type: 'forecast', id: 'PO/1' }, outcome: 'success' },
      {
        action: 'endpoint.created',
        actor: { type: 'key', id: record.keyId, address: '127.0.0.1' },
        resource: { type: 'endpoint', id: 'ep_1' },
        outcome: 'success',
        request_id: 'mine-1',
      },
    ]);
    expect((await read('?action=endpoint.created', key)).entries).toHaveLength(1);
    const page = await read('?limit=1', key);
    const next = await read(`?limit=1&cursor=${page.next_cursor}`, key);
    expect([page, next].flatMap(({ entries }) => entries.map(({ action }) => action))).toEqual(['forecast.cancelled', 'endpoint.created']);
    expect(next.next_cursor).toBeNull();
  });

  test('a change before it is made: one that cannot be kept is not', async () => {
    const { key } = await issue();
    await db.transaction(() => db.run('ALTER TABLE audit_entries RENAME TO gone'));
    const { status, json } = await post('/open/v1/forecasts/PO1/cancel', key);
    expect([status, json.code, forwarded]).toEqual([503, '50301', []]);
    expect(json.message).toBe('The audit log cannot be written, so nothing was changed; try again');
    expect((await post('/open/v1/forecasts', key, '{}')).status).toBe(200);
  });

  test('nothing of a change whose client leaves before it goes on', async () => {
    const { key } = await issue();
    let goOn = (): void => undefined;
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
    const socket = sendPart('POST /open/v1/forecasts/PO1/cancel', key);
    await until(() => asked === 1);
    socket.destroy();
    await until(() => [...gateway.serverSockets].some(({ destroyed }) => destroyed));
    goOn();
    await until(async () => (await entries()).length === 0);
    expect(forwarded).toEqual([]);
  });

  test.each(['PATCH /open/v1/forecasts/PO1', 'POST /open/v1/console/links'])(
    'nothing of a request whose body does not come whole: %s',
    async (head) => {
      const { key } = await issue();
      const socket = sendPart(head, key);
      await until(async () => (await entries()).length === 1, { what: 'the entry before the change' });
      socket.destroy();
      await until(async () => (await entries()).length === 0, { what: 'the end of the entry' });
      expect(forwarded).toEqual([]);
    },
  );

  test('what was done of a request whose body nobody waits for', async () => {
    const { key } = await issue();
    let response = '';
    sendPart('POST /open/v1/console/sessions', key).on('data', (chunk) => {
      response += String(chunk);
    });
    await until(() => response.includes('pfs_'), { what: 'the session' });
    await until(async () => (await entries())[0]?.outcome === 'success', { what: 'the entry' });
  });

  test('a change that a service works on, when its client leaves', async () => {
    const { key } = await issue();
    respond = () => undefined;
    const socket = sendPart('PATCH /open/v1/forecasts/PO1', key);
    socket.write(`${' '.repeat(8)}}`);
    await until(() => forwarded.length === 1, { what: 'the request at the service' });
    socket.destroy();
    await until(() => [...gateway.serverSockets].every(({ destroyed }) => destroyed), { what: 'the end of the connection' });
    expect((await entries()).map(({ resourceId, outcome }) => [resourceId, outcome])).toEqual([['PO1', 'unknown']]);
  });

  test('nothing of a change for which there was no service to connect to', async () => {
    const options = { clear: true, limitRates: false, observer: activity.observer, otherServices: remoteServicesAt(() => 1) };
    const alone = await startGateway(() => undefined, options);
    const { key } = await alone.issue({ scopes: ['forecasts:write'] });
    const { status } = await alone.call('/open/v1/forecasts/PO1/cancel', { method: 'POST', key, headers: secure });
    expect(status).toBe(503);
    expect(await entries()).toEqual([]);
  });

  test('whether a key itself, a session or a link made a change', async () => {
    const { key, record } = await issue();
    const session = (await post('/open/v1/console/sessions', key)).json.data as unknown as ConsoleSession;
    const link = (await post('/open/v1/console/links', key, '{"scopes":["webhooks:manage"]}')).json.data as unknown as ConsoleLink;
    for (const caller of [key, session.token, link.url.slice(link.url.indexOf('pfs_'))]) {
      expect((await post('/open/v1/webhook-endpoints', caller, '{"url":"https://a.example"}')).status).toBe(200);
    }
    await until(async () => (await entries()).every(({ outcome }) => outcome === 'success'), { what: 'the outcomes' });
    expect(new Set((await entries()).map(({ actorId }) => actorId))).toEqual(new Set([record.keyId]));
    expect((await entries()).map(({ action, session, resourceId }) => [action, session, resourceId])).toEqual([
      ['endpoint.created', 'link', 'ep_1'],
      ['endpoint.created', 'session', 'ep_1'],
      ['endpoint.created', undefined, 'ep_1'],
      ['console_link.created', undefined, record.keyId],
      ['console_session.created', undefined, record.keyId],
    ]);
  });

  test('no more entries without a known outcome than there is room for; other keys go on', async () => {
    const [{ key }, other] = [await issue(), await issue()];
    respond = () => ({ status: 503, body: '{"code":"50301","message":"out","data":null}' });
    const cancel = (by: string) => post('/open/v1/forecasts/PO1/cancel', by);
    for (let count = 0; count < 110; count += 1) expect((await cancel(key)).status).toBe(503);
    respond = () => ({ status: 200, body: '{"code":"0","message":"success","data":{}}' });
    const refused = await cancel(key);
    expect([refused.status, refused.json.code, forwarded.length]).toEqual([429, '42901', 110]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await cancel(other.key)).status).toBe(200);
    await until(async () => (await entries()).length === 111, { what: 'the entries' });
  });
});
