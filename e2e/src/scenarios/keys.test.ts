import { describe, expect, test } from '@jest/globals';
import type { KeyCreated, KeyCreation, KeyRotated, OwnAccess, TenantKey, TenantKeyList } from '@parcelway/contracts/key-api';
import type { Scope } from '@parcelway/contracts/scopes';
import type { ApiClient } from '@parcelway/harness/api-client';
import type { Merchant } from '@parcelway/harness/merchant';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useMerchant, useSharedStageWithMerchant } from '../use-stage.ts';

/* A tenant manages its own keys: what changes takes effect within 5 seconds, in every process. */

const { stage, merchant } = useSharedStageWithMerchant();
const other = useMerchant(stage);

async function codeWith(key: string, path = '/open/v1/me'): Promise<string> {
  const client = stage.platform.client(key);
  const response = await client.call(path);
  await client.close();
  return response.code;
}

const untilCode = (key: string, code: string): Promise<unknown> =>
  until(async () => (await codeWith(key)) === code, { within: 5000, what: `the code ${code}` });

const create = (client: ApiClient, body: Partial<KeyCreation> = {}): Promise<KeyCreated> =>
  expectRoute<KeyCreated>(client, 'createKey', { body: { description: 'ERP', ...body } });

/** A key of the merchant with some scopes, as a merchant of its own. */
const withScopes = (...scopes: Scope[]): Promise<Merchant> => stage.operator.withKey(merchant, { scopes });

test('the life of a key: created, used, limited to addresses, rotated with an overlap, revoked', async () => {
  const created = await create(merchant.client, { scopes: ['tracking:read'], expires_in_seconds: 3600 });
  const path = { key_id: created.key_id };
  expect(await codeWith(created.key)).toBe('0');
  expect(await codeWith(created.key, '/open/v1/webhook-endpoints')).toBe('40301');

  await expectRoute(merchant.client, 'updateKey', { path, body: { allowed_addresses: ['198.51.100.0/24'] } });
  await untilCode(created.key, '40301');
  const client = stage.platform.client(created.key);
  expect((await client.call('/open/v1/me')).message).toMatch(/127\.0\.0\.1|::1/);
  await expectRoute(merchant.client, 'updateKey', { path, body: { allowed_addresses: ['127.0.0.0/8', '::1'] } });
  await untilCode(created.key, '0');

  const rotated = await expectRoute<KeyRotated>(merchant.client, 'rotateKey', { path, body: { overlap_seconds: 7 } });
  expect(rotated).toMatchObject({ scopes: ['tracking:read'], allowed_addresses: ['127.0.0.0/8', '::1'], rotated_from: created.key_id });
  for (const key of [created.key, rotated.key]) expect(await codeWith(key)).toBe('0');
  await until(async () => (await codeWith(created.key)) === '40003', { within: 15_000, what: 'the former key to end' });
  expect(await codeWith(rotated.key)).toBe('0');

  const revoked = await expectRoute<TenantKey>(merchant.client, 'revokeKey', { path: { key_id: rotated.key_id } });
  expect(revoked.state).toBe('revoked');
  await untilCode(rotated.key, '40003');
  const again = await expectRoute<TenantKey>(merchant.client, 'revokeKey', { path: { key_id: rotated.key_id } });
  expect(again.revoked_at).toBe(revoked.revoked_at);
  const { keys } = await expectRoute<TenantKeyList>(merchant.client, 'listKeys');
  const states = new Map(keys.map(({ key_id, state, rotated_to }) => [key_id, [state, rotated_to]]));
  expect(states.get(created.key_id)).toEqual(['expired', rotated.key_id]);
  expect(states.get(rotated.key_id)).toEqual(['revoked', null]);
  expect(JSON.stringify(keys)).not.toContain(created.key.slice(12));
});

describe('a key', () => {
  test('never gives more scopes than it has', async () => {
    const weak = await withScopes('keys:manage', 'tracking:read');
    const refused = await callRoute(weak.client, 'createKey', { body: { description: 'x', scopes: ['tracking:read', 'files:write'] } });
    expect(refused).toMatchObject({ code: '42201', data: { errors: [{ field: 'scopes[1]' }] } });
    const { key_id, scopes } = await create(weak.client);
    expect(scopes).toEqual(['tracking:read']);
    const path = { key_id };
    const grown = await callRoute(merchant.client, 'updateKey', { path, body: { scopes: ['tracking:read', 'files:write'] } });
    expect(grown).toMatchObject({ code: '42201', data: { errors: [{ field: 'scopes[1]' }] } });
    const strong = await create(merchant.client);
    expect((await callRoute(weak.client, 'rotateKey', { path: { key_id: strong.key_id }, body: {} })).code).toBe('40301');
    const reader = await withScopes('tracking:read');
    expect((await callRoute(reader.client, 'createKey', { body: { description: 'x' } })).code).toBe('40301');
  });

  test('loses scopes that are taken from it', async () => {
    const { key, key_id } = await create(merchant.client, { scopes: ['tracking:read', 'webhooks:manage'] });
    expect(await codeWith(key, '/open/v1/webhook-endpoints')).toBe('0');
    await expectRoute(merchant.client, 'updateKey', { path: { key_id }, body: { scopes: ['tracking:read'] } });
    await until(async () => (await codeWith(key, '/open/v1/webhook-endpoints')) === '40301', { within: 5000 });
  });

  test('of another tenant is out of reach', async () => {
    const { key_id, key } = await create(other.client);
    const path = { key_id };
    for (const [id, body] of [['getKey'], ['updateKey', { description: 'x' }], ['rotateKey', {}], ['revokeKey']] as const) {
      expect((await callRoute(merchant.client, id, { path, ...(body && { body }) })).code).toBe('40403');
    }
    expect(await codeWith(key)).toBe('0');
  });

  test('rotates itself, and revokes itself once another one manages keys', async () => {
    const owner = await stage.operator.newMerchant();
    const path = { key_id: owner.identity.keyId };
    expect((await callRoute(owner.client, 'revokeKey', { path })).code).toBe('40902');
    const { key, key_id } = await expectRoute<KeyRotated>(owner.client, 'rotateKey', { path });
    expect(await expectRoute<TenantKey>(owner.client, 'revokeKey', { path })).toMatchObject({ state: 'revoked', rotated_to: key_id });
    await untilCode(owner.identity.key, '40003');
    expect(await codeWith(key)).toBe('0');
  });

  test('is made once for an idempotency key', async () => {
    const call = { body: { description: 'once' }, headers: { 'idempotency-key': `keys-${process.pid}` } };
    const first = await callRoute<KeyCreated>(merchant.client, 'createKey', call);
    const again = await callRoute<KeyCreated>(merchant.client, 'createKey', call);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(await codeWith(first.data.key)).toBe('0');
  });

  test('says who calls', async () => {
    const { key } = await create(merchant.client, { scopes: ['files:write'] });
    const client = stage.platform.client(key);
    const me = await expectRoute<OwnAccess>(client, 'getOwnAccess');
    expect(me).toMatchObject({
      tenant: { id: merchant.identity.tenantId, status: 'active' },
      environment: 'sandbox',
      key: { scopes: ['files:write'], created_by: merchant.identity.keyId },
      // As the calling key, which has no limit.
      rate_limits: { standard: null },
    });
  });
});

test('the operator does the same with parcelctl', async () => {
  const env = { DATA_DIR: stage.platform.dataDirectory };
  const run = <T>(...args: string[]): Promise<T> => parcelctlJson<T>(['key', ...args], env);
  const tenant = ['--tenant', merchant.identity.tenantId];
  const issued = await run<{ key: string; key_id: string; scopes: string[] }>('issue', ...tenant, '--allowed-addresses', '198.51.100.1');
  expect(issued.scopes).not.toContain('keys:manage');
  expect(await codeWith(issued.key)).toBe('40301');
  await run('change', issued.key_id, '--allowed-addresses', 'any', '--scopes', 'keys:manage', '--expires-in', '1h');
  await untilCode(issued.key, '0');
  const rotated = await run<{ key: string; key_id: string }>('rotate', issued.key_id, '--overlap', '0s');
  await untilCode(issued.key, '40003');
  expect(await codeWith(rotated.key, '/open/v1/keys')).toBe('0');
  const { keys } = await run<{ keys: Array<Record<string, unknown>> }>('list', ...tenant);
  expect(keys.find(({ key_id }) => key_id === issued.key_id)).toMatchObject({ rotated_to: rotated.key_id, allowed_addresses: [] });
}, 60_000);
