import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { keyRoutes } from '@parcelway/contracts/account-routes';
import type { AuditLog } from '@parcelway/contracts/activity-api';
import type { KeyCreated, KeyRotated, OwnAccess, TenantKey, TenantKeyList } from '@parcelway/contracts/key-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { until } from '@parcelway/kernel/testing/until';
import { callAdmin, callPublic, quickstartOf } from '../../testing/gateway-client.ts';
import { echo } from '../../testing/harness.ts';
import { startGateway, type TestGateway } from '../../testing/platform.ts';

interface Shown<T> {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly data: T;
  readonly replayed: unknown;
}

let gateway: TestGateway;
let own: string;
beforeEach(async () => {
  gateway = await startGateway(echo);
  own = (await quickstartOf(gateway)).tenant.api_key;
});
afterEach(() => gateway[Symbol.asyncDispose]());

const routeOf = (method: string, path: string) =>
  keyRoutes.find(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] as string),
  );

/** Calls a route with a key; the data of a success is held against the contract. */
async function call<T>(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  { key = own, body, idempotencyKey }: { readonly key?: string; readonly body?: object; readonly idempotencyKey?: string } = {},
): Promise<Shown<T>> {
  const headers = { ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) };
  const response = await callPublic(gateway, `/open/v1/${path}`, key, { method, headers, body });
  const { code, message, data } = JSON.parse(response.text) as Shown<T>;
  const schema = routeOf(method, `/open/v1/${path}`)?.data;
  if (code === '0' && typeof schema === 'object') expect(compileValidator(schema).errors(data)).toEqual([]);
  return { status: response.status, code, message, data, replayed: response.headers['idempotent-replayed'] };
}

const create = async (body: object = {}, key = own): Promise<KeyCreated> =>
  (await call<KeyCreated>('POST', 'keys', { key, body: { description: 'ERP', ...body } })).data;

describe('keys', () => {
  test('are created, read, listed in pages, changed and revoked', async () => {
    const created = await create({ expires_in_seconds: 3600, allowed_addresses: ['10.1.2.3/8', '127.0.0.0/8'], scopes: ['tracking:read'] });
    const { key, warnings, ...shown } = created;
    expect(shown).toMatchObject({ allowed_addresses: ['10.0.0.0/8', '127.0.0.0/8'], scopes: ['tracking:read'] });
    expect(warnings).toEqual([]);
    expect((await call<TenantKey>('GET', `keys/${created.key_id}`)).data).toEqual(shown);
    const first = (await call<TenantKeyList>('GET', 'keys?limit=1')).data;
    expect(first.keys.map(({ key_id }) => key_id)).toEqual([created.key_id]);
    const second = (await call<TenantKeyList>('GET', `keys?limit=1&cursor=${first.next_cursor}`)).data;
    expect(second).toMatchObject({ keys: [{ description: 'quickstart' }], next_cursor: null });
    expect(await call('GET', 'keys?cursor=abc&limit=0')).toMatchObject({ data: { errors: [{ field: 'limit' }, { field: 'cursor' }] } });
    expect(JSON.stringify([first, second])).not.toContain(key);
    const changed = await call<TenantKey>('PATCH', `keys/${created.key_id}`, { body: { description: 'Shop', expires_at: null } });
    expect(changed.data).toMatchObject({ description: 'Shop', expires_at: null, allowed_addresses: ['10.0.0.0/8', '127.0.0.0/8'] });
    expect((await call('GET', 'warehouses', { key })).code).toBe('0');
    const revoked = await call<TenantKey>('POST', `keys/${created.key_id}/revoke`);
    expect(revoked.data).toMatchObject({ state: 'revoked', revoked_at: expect.any(String) });
    expect((await call('GET', 'warehouses', { key })).code).toBe('40003');
    expect((await call('POST', `keys/${created.key_id}/revoke`)).data).toEqual(revoked.data);
  });

  test('have one expiry', async () => {
    const refused = await call('POST', 'keys', { body: { description: 'ERP', expires_at: '2030-01-01T00:00:00Z', expires_in_seconds: 5 } });
    expect(refused).toMatchObject({ status: 422, data: { errors: [{ field: 'expires_at', rule: 'conflict' }] } });
  });
});

describe('a creation with an idempotency key', () => {
  const body = { description: 'ERP' };

  test('is repeated with the same key, which lies nowhere in clear', async () => {
    const first = await call<KeyCreated>('POST', 'keys', { body, idempotencyKey: 'k' });
    expect(await call('POST', 'keys', { body, idempotencyKey: 'k' })).toEqual({ ...first, replayed: 'true' });
    const rotation = { body: {}, idempotencyKey: 'k' };
    const rotated = await call<KeyRotated>('POST', `keys/${first.data.key_id}/rotate`, rotation);
    expect(await call('POST', `keys/${first.data.key_id}/rotate`, rotation)).toEqual({ ...rotated, replayed: 'true' });
    expect((await call<TenantKeyList>('GET', 'keys')).data.keys).toHaveLength(3);
    await gateway.stop();
    const files = await Promise.all(
      ['parcelway.db', 'parcelway.db-wal'].map((name) => readFile(join(gateway.directory, name)).catch(() => Buffer.alloc(0))),
    );
    for (const { key } of [first.data, rotated.data]) {
      expect(Buffer.concat(files).includes(key.slice(12))).toBe(false);
      expect(Buffer.concat(files).includes(key.slice(0, 12))).toBe(true);
    }
  });

  test('of another key of the tenant is another request', async () => {
    const { key } = await create({ scopes: ['keys:manage', 'files:write'] });
    await call('POST', 'keys', { body, idempotencyKey: 'k' });
    expect(await call('POST', 'keys', { key, body, idempotencyKey: 'k' })).toMatchObject({ status: 409, code: '40901' });
  });
});

test('a session reads and revokes keys, and makes or changes none, not even by repeating a request of its key', async () => {
  const manager = await create({ scopes: ['weighing:read', 'keys:manage'] });
  const { token } = (await call<{ token: string }>('POST', 'console/sessions', { key: manager.key })).data;
  const repeated = { body: { description: 'Shop' }, idempotencyKey: 'made-by-the-key' };
  expect((await call('POST', 'keys', { key: manager.key, ...repeated })).code).toBe('0');
  expect((await call<TenantKeyList>('GET', 'keys', { key: token })).data.keys.length).toBeGreaterThan(1);
  const victim = await create();
  const refused = [
    await call('POST', 'keys', { key: token, ...repeated }),
    await call('PATCH', `keys/${victim.key_id}`, { key: token, body: { description: 'x' } }),
    await call('POST', `keys/${victim.key_id}/rotate`, { key: token }),
  ];
  expect(refused.map(({ code, message, data }) => [code, message, data])).toEqual(
    Array(3).fill(['40301', 'A session of the console cannot do this; send the API key itself', null]),
  );
  expect((await call<TenantKey>('POST', `keys/${victim.key_id}/revoke`, { key: token })).data.state).toBe('revoked');
  const me = (await call<OwnAccess>('GET', 'me', { key: token })).data;
  expect(me).toMatchObject({ key: { key_id: manager.key_id }, session: { kind: 'session' } });
  expect((await call<OwnAccess>('GET', 'me', { key: manager.key })).data.session).toBeNull();
});

test('revoking again says that nothing has changed, and makes no second entry in the audit log', async () => {
  const { key_id } = await create();
  const revoke = () => call<TenantKey>('POST', `keys/${key_id}/revoke`);
  expect([(await revoke()).replayed, (await revoke()).replayed]).toEqual([undefined, 'true']);
  const again = await callAdmin(gateway, 'POST', `/admin/v1/keys/${key_id}/revoke`);
  expect(again.json.data['key_id']).toBe(key_id);
  const entries = async () =>
    (await call<AuditLog>('GET', 'audit-log?action=key.revoked', {})).data.entries.filter(({ resource }) => resource.id === key_id);
  await until(async () => (await entries()).length === 1 && (await entries())[0]?.outcome === 'success', { what: 'one entry' });
});
