import { expect, jest, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { createTenant } from '../tenants/manage-tenants.ts';
import { addWarehouse } from '../tenants/manage-warehouses.ts';
import { setUpStores } from '../testing/set-up-stores.ts';
import { createTenantWithKey, issueKey, revokeKey } from './manage-keys.ts';

test('a revocation is published as an event of the tenant, and keeps its time when it is asked for again', async () => {
  const { stores, options, clock } = setUpStores();
  const tenant = await createTenant(stores, clock, 'Acme');
  const { record } = await issueKey(options, { holder: { kind: 'tenant', tenantId: tenant.id } });
  clock.advance(5000);
  expect(await revokeKey(options, record.keyId)).toMatchObject({ record: { revokedAt: 1_005_000 }, isRepetition: false });
  clock.advance(5000);
  expect(await revokeKey(options, record.keyId)).toMatchObject({ record: { revokedAt: 1_005_000 }, isRepetition: true });
  const [waiting] = await stores.outbox.lease(10);
  expect(waiting?.topic).toBe('gateway.events.v1');
  expect(decodeEvent(String(waiting?.value))).toMatchObject({ type: 'key.revoked', subject: record.keyId, tenantid: tenant.id });
  await addWarehouse(options, { code: 'W1', name: 'One' });
  await revokeKey(options, (await issueKey(options, { holder: { kind: 'warehouse', warehouseCode: 'W1' } })).record.keyId);
  const last = (await stores.outbox.lease(10)).at(-1);
  expect(decodeEvent(String(last?.value))).toMatchObject({ type: 'key.revoked', tenantid: 'warehouse:W1', environment: 'sandbox' });
});

test('a request for a tenant with a key that broke off after the tenant goes on with its key', async () => {
  const { options } = setUpStores();
  const { keys } = options.stores;
  const origin = { secret: 'a secret of the installation', seed: 'seed' };
  jest.spyOn(keys, 'add').mockRejectedValueOnce(new Error('broken'));
  await expect(createTenantWithKey(options, 'Acme', origin)).rejects.toThrow('broken');
  const made = await createTenantWithKey(options, 'Acme', origin);
  expect(await options.stores.tenants.list(10)).toEqual([made.tenant]);
  expect(await keys.alive(made.tenant.id, 1_000_000, 10)).toEqual([made.key.record]);
});
