import { expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { issueKey, revokeKey } from '../manage-keys.ts';
import { addWarehouse, createTenant } from '../manage-tenants.ts';
import { createSqliteStores } from './sqlite-stores.ts';

function setUp() {
  const clock = new ManualClock(1_000_000);
  const stores = createSqliteStores(new SqliteDatabase(':memory:'), clock);
  return { clock, stores, deps: { clock, stores, environment: 'sandbox' as const } };
}

test('a revocation and the news of it are one write, and happen once', async () => {
  const { stores, deps, clock } = setUp();
  const tenant = await createTenant(stores, clock, 'Acme');
  const { record } = await issueKey(deps, { holder: { kind: 'tenant', tenantId: tenant.id } });
  clock.advance(5000);
  expect((await revokeKey(deps, record.keyId)).revokedAt).toBe(1_005_000);
  clock.advance(5000);
  expect((await revokeKey(deps, record.keyId)).revokedAt).toBe(1_005_000);
  const waiting = await stores.outbox.lease(10);
  expect(waiting).toHaveLength(1);
  expect(waiting[0]?.topic).toBe('gateway.events.v1');
  expect(decodeEvent(String(waiting[0]?.value))).toMatchObject({ type: 'key.revoked', subject: record.keyId, tenantid: tenant.id });
});

test('a key comes back as it was kept, with the state of its tenant', async () => {
  const { stores, deps, clock } = setUp();
  const tenant = await createTenant(stores, clock, 'Acme');
  const holder = { kind: 'tenant', tenantId: tenant.id } as const;
  const { record, key } = await issueKey(deps, { holder, expiresInSeconds: 60, rateLimit: { perSecond: 0.5, burst: 3 }, description: 'x' });
  expect(record).toMatchObject({ expiresAt: 1_060_000, prefix: key.slice(0, 12) });
  expect(await stores.keys.findByHash(record.hash)).toEqual({ record, tenantStatus: 'active' });
  await stores.tenants.setStatus(tenant.id, 'suspended');
  expect(await stores.keys.findByHash(record.hash)).toMatchObject({ tenantStatus: 'suspended' });
  await stores.keys.recordUse(new Map([[record.keyId, 2_000_000]]));
  await stores.keys.recordUse(new Map([[record.keyId, 1_000_000]]));
  expect((await stores.keys.find(record.keyId))?.lastUsedAt).toBe(2_000_000);
});

test('keys are listed by holder, newest first', async () => {
  const { stores, deps, clock } = setUp();
  const tenant = await createTenant(stores, clock, 'Acme');
  await addWarehouse(stores, clock, { code: 'W1', name: 'One' });
  const first = await issueKey(deps, { holder: { kind: 'tenant', tenantId: tenant.id } });
  clock.advance(1);
  const second = await issueKey(deps, { holder: { kind: 'tenant', tenantId: tenant.id }, rateLimit: 'off' });
  const third = await issueKey(deps, { holder: { kind: 'warehouse', warehouseCode: 'W1' } });
  expect(await stores.keys.list({ tenantId: tenant.id }, 10)).toEqual([second.record, first.record]);
  expect(await stores.keys.list({ warehouseCode: 'W1' }, 10)).toEqual([third.record]);
  expect(await stores.keys.list({}, 10)).toHaveLength(3);
  expect(third.record.scopes).toEqual(['warehouse:write']);
  expect(await stores.keys.findByHash('none')).toBeUndefined();
});

test('a warehouse code is taken once', async () => {
  const { stores, clock } = setUp();
  await addWarehouse(stores, clock, { code: 'W1', name: 'One' });
  await expect(addWarehouse(stores, clock, { code: 'W1', name: 'Two' })).rejects.toMatchObject({ code: '40902' });
  expect(await stores.warehouses.list(10)).toMatchObject([{ code: 'W1', name: 'One' }]);
});
