import { describe, expect, test } from '@jest/globals';
import { revokeKey } from '../keys/manage-keys.ts';
import { hashKey } from '../proxy/domain/api-key.ts';
import { beginTenantErasure, createTenant, tenants } from '../tenants/tenants.ts';
import { setUpStores } from '../testing/set-up-stores.ts';
import { DEMO_TENANT, demoAccess } from './first-start.ts';

describe('the access of the first start', () => {
  test('is that of a new tenant once the former one is being erased', async () => {
    const { stores, options } = setUpStores();
    const access = await demoAccess(options, undefined);
    await beginTenantErasure(options, access.tenant.id);
    const keys = stores.tenantData.find(({ name }) => name === 'keys');
    await keys?.erase?.(access.tenant.id);
    const next = await demoAccess(options, access);
    expect(next.tenant.id).not.toBe(access.tenant.id);
    expect(await demoAccess(options, next)).toBe(next);
  });

  test.each(['tenant', 'warehouse'] as const)('has new keys for the same tenant when that of the %s is revoked', async (holder) => {
    const { options } = setUpStores();
    const access = await demoAccess(options, undefined);
    const known = await options.keys.findByHash(hashKey(access[holder].api_key));
    await revokeKey(options, known?.record.keyId ?? '');
    const renewed = await demoAccess(options, access);
    expect(renewed.tenant.id).toBe(access.tenant.id);
    expect(renewed.tenant.api_key).not.toBe(access.tenant.api_key);
    expect(renewed.warehouse.api_key).not.toBe(access.warehouse.api_key);
  });

  test('is of the oldest tenant of the name of the demo', async () => {
    const { options } = setUpStores();
    for (const [tenantId, createdAt] of [
      ['tnt_b', 3],
      ['tnt_c', 1],
      ['tnt_a', 2],
    ] as const)
      await options.store.apply([{ in: tenants, insert: { tenantId, name: DEMO_TENANT, status: 'active', createdAt } }]);
    expect((await demoAccess(options, undefined)).tenant.id).toBe('tnt_c');
    await beginTenantErasure(options, 'tnt_c');
    expect((await demoAccess(options, undefined)).tenant.id).toBe('tnt_a');
  });

  test('is of the tenant that it was of, before one that has the name of the demo', async () => {
    const { options } = setUpStores();
    const other = await createTenant(options, 'Acme');
    const access = await demoAccess(options, undefined);
    const kept = { ...access, tenant: { id: other.tenantId, name: other.name, api_key: 'lost' } };
    expect((await demoAccess(options, kept)).tenant).toMatchObject({ id: other.tenantId, name: 'Acme' });
    expect((await demoAccess(options, undefined)).tenant.id).toBe(access.tenant.id);
  });
});
