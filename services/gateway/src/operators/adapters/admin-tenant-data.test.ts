import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { callAdmin, callPublic, quickstartOf } from '../../testing/gateway-client.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

/** Stands for every other service: has one kind with two pages, and contents. */
function services(req: IncomingMessage, res: ServerResponse): void {
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://x');
  const send = (data: object): void => void res.end(JSON.stringify({ code: '0', message: 'success', data }));
  res.setHeader('Content-Type', 'application/json');
  if (pathname === '/internal/v1/tenant-data')
    send({
      kinds: [
        { name: 'things', listed: true, erased: true },
        { name: 'outbox', listed: false, erased: true },
      ],
    });
  else if (pathname === '/internal/v1/tenant-data/things' && searchParams.has('after')) {
    places.push(String(searchParams.get('after')));
    send({ records: [], next: null });
  } else if (pathname === '/internal/v1/tenant-data/things') send({ records: [{ name: 'ü' }, { name: 'b' }], next: 'place ü' });
  else if (pathname === '/internal/v1/contents/token') res.setHeader('Content-Type', 'application/pdf').end('%PDF');
  else if (pathname.startsWith('/internal/v1/contents/')) res.writeHead(404).end('{"code":"40403","message":"none","data":null}');
  else send({ erased: 0 });
}

/** Where pages were asked for. */
const places: string[] = [];
let gateway: TestGateway;
let tenant: string;
beforeEach(async () => {
  gateway = await startGateway(services, { ERASURE_SETTLE: '1s' });
  tenant = `/admin/v1/tenants/${(await quickstartOf(gateway)).tenant.id}`;
});
afterEach(() => gateway[Symbol.asyncDispose]());

const get = (path: string) => callAdmin(gateway, 'GET', path);

const routes: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/erasure'],
  ['GET', '/erasure'],
  ['GET', '/export'],
  ['GET', '/export/forecast/things'],
  ['GET', '/export/contents/token'],
];

describe('exports', () => {
  test('list the kinds of all services', async () => {
    const { kinds } = (await callAdmin(gateway, 'GET', `${tenant}/export`)).json.data as unknown as { kinds: object[] };
    expect(kinds).toContainEqual({ service: 'forecast', kind: 'things' });
    expect(kinds).toContainEqual({ service: 'gateway', kind: 'account' });
    expect(kinds).not.toContainEqual(expect.objectContaining({ kind: 'outbox' }));
  });

  test('come in pages of lines', async () => {
    const first = await get(`${tenant}/export/forecast/things`);
    expect([first.headers['content-type'], first.text]).toEqual(['application/x-ndjson; charset=utf-8', '{"name":"ü"}\n{"name":"b"}\n']);
    const last = await get(`${tenant}/export/forecast/things?after=${first.headers['next-after']}`);
    expect([last.text, last.headers['next-after'], places]).toEqual(['', undefined, ['place ü']]);
    expect((await get(`${tenant}/export/gateway/account`)).text).toContain('Demo Merchant');
    expect(JSON.parse((await get(`${tenant}/export/gateway/other`)).text)).toMatchObject({ code: '40403' });
  });

  test('begin with an entry of the audit log, whatever their cursor says', async () => {
    const { id } = (await quickstartOf(gateway)).tenant;
    const entries = async (): Promise<number> => {
      const path = `/admin/v1/audit-log?tenant_id=${id}&action=tenant.exported`;
      return ((await callAdmin(gateway, 'GET', path)).json.data['entries'] as unknown as object[]).length;
    };
    const next = String((await get(`${tenant}/export/forecast/things`)).headers['next-after']);
    const other = (await callAdmin(gateway, 'POST', '/admin/v1/operators', { name: 'other', role: 'admin' })).json.data['token'];
    const foreign = await callAdmin(gateway, 'GET', `${tenant}/export/forecast/things?after=${next}`, undefined, String(other));
    expect(foreign.json).toMatchObject({ code: '42201', data: { errors: [{ field: 'after' }] } });
    for (const query of [
      'forecast/things?after=',
      'forecast/things?after=2.AAAA',
      `gateway/keys?after=${next}`,
      `forecast/things?after=${next}&after=${next}`,
    ])
      expect([query, (await get(`${tenant}/export/${query}`)).status]).toEqual([query, 422]);
    expect((await get(`${tenant}/export/forecast/things?after=${next}`)).status).toBe(200);
    await until(async () => (await entries()) === 1, { what: 'the entry of the first page alone' });
    expect((await get(`${tenant}/export/gateway/keys`)).status).toBe(200);
    await until(async () => (await entries()) === 2, { what: 'the entry of another kind' });
  });

  test('have the bytes of contents', async () => {
    const content = await get(`${tenant}/export/contents/token`);
    expect([content.status, content.headers['content-type'], content.text]).toEqual([200, 'application/pdf', '%PDF']);
    expect((await get(`${tenant}/export/contents/other`)).status).toBe(404);
  });
});

describe('an erasure', () => {
  test('refuses the keys of the tenant at once, and ends what could bring it back', async () => {
    const { tenant: demo } = await quickstartOf(gateway);
    expect((await callAdmin(gateway, 'GET', `${tenant}/erasure`)).json.code).toBe('40403');
    const begun = await callAdmin(gateway, 'POST', `${tenant}/erasure`);
    expect(begun.json.data).toMatchObject({ tenant_id: demo.id, state: 'running', finish_time: null });
    expect(JSON.parse((await callPublic(gateway, '/open/v1/warehouses', demo.api_key)).text)).toMatchObject({ code: '40302' });
    expect((await callAdmin(gateway, 'POST', `${tenant}/resume`)).json.code).toBe('40902');
    expect((await callAdmin(gateway, 'POST', '/admin/v1/keys', { tenant_id: demo.id })).json.code).toBe('40902');
    expect((await callAdmin(gateway, 'POST', `${tenant}/erasure`)).json.data).toMatchObject({ state: 'running' });
    const lookAt: unknown[] = [];
    const state = async () => {
      const { data } = (await callAdmin(gateway, 'GET', `${tenant}/erasure`)).json;
      lookAt.push(data['last_look_time']);
      return data['state'] === 'finished';
    };
    await until(state, { within: 30_000, what: 'the erasure to end' });
    expect(lookAt.filter((time) => time !== null)).toContainEqual(expect.stringMatching(/^\d{4}-.*\+00:00$/));
    expect(lookAt.at(-1)).toBeNull();
    expect((await callAdmin(gateway, 'GET', '/admin/v1/tenants')).json.data['tenants']).toEqual([]);
    expect(JSON.parse((await callPublic(gateway, '/open/v1/warehouses', demo.api_key)).text)).toMatchObject({ code: '40003' });
  });

  test('of nobody is refused', async () => {
    for (const [method, path] of routes) {
      expect([path, (await callAdmin(gateway, method, `/admin/v1/tenants/tnt_none${path}`)).json.code]).toEqual([path, '40403']);
    }
  });
});
