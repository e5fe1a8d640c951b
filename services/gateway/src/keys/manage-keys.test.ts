import { expect, jest, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { createTenant, listTenants } from '../tenants/tenants.ts';
import { addWarehouse } from '../tenants/warehouses.ts';
import { setUpStores } from '../testing/set-up-stores.ts';
import { createTenantWithKey, issueKey, revokeKey } from './manage-keys.ts';

test('a revocation is published as an event of the tenant, and keeps its time when it is asked for again', async () => {
  const { stores, options, clock } = setUpStores();
  const { tenantId } = await createTenant(options, 'Acme');
  const { record } = await issueKey(options, { holder: { kind: 'tenant', tenantId } });
  clock.advance(5000);
  expect(await revokeKey(options, record.keyId)).toMatchObject({ record: { revokedAt: 1_005_000 }, isRepetition: false });
  clock.advance(5000);
  expect(await revokeKey(options, record.keyId)).toMatchObject({ record: { revokedAt: 1_005_000 }, isRepetition: true });
  const [waiting] = await stores.outbox.lease(10);
  expect(waiting?.topic).toBe('gateway.events.v1');
  expect(decodeEvent(String(waiting?.value))).toMatchObject({ type: 'key.revoked', subject: record.keyId, tenantid: tenantId });
  await addWarehouse(options, { code: 'W1', name: 'One' });
  await revokeKey(options, (await issueKey(options, { holder: { kind: 'warehouse', warehouseCode: 'W1' } })).record.keyId);
  const last = (await stores.outbox.lease(10)).at(-1);
  expect(decodeEvent(String(last?.value))).toMatchObject({ type: 'key.revoked', tenantid: 'warehouse:W1', environment: 'sandbox' });
});

test('a request for a tenant with a key that broke off after the tenant goes on with its key', async () => {
  const { options } = setUpStores();
  const { keys, store } = options;
  jest.spyOn(keys, 'add').mockRejectedValueOnce(new Error('broken'));
  await expect(createTenantWithKey(options, 'Acme', 'seed')).rejects.toThrow('broken');
  const made = await createTenantWithKey(options, 'Acme', 'seed');
  expect((await listTenants(store, 10)).records).toEqual([made.tenant]);
  expect(await keys.alive(made.tenant.tenantId, 1_000_000, 10)).toEqual([made.key.record]);
});
