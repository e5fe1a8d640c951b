import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStores } from './adapters/sqlite-stores.ts';
import { createTenant, setTenantStatus } from './manage-tenants.ts';

const clock = new ManualClock(1_000_000);
const open = () => createSqliteStores(new SqliteDatabase(':memory:'), clock);

test('a new tenant is active, and may be suspended', async () => {
  const stores = open();
  const tenant = await createTenant(stores, clock, 'Acme');
  expect(tenant).toEqual({ id: expect.stringMatching(/^tnt_/), name: 'Acme', status: 'active', createdAt: 1_000_000 });
  expect(await setTenantStatus(stores, tenant.id, 'suspended')).toEqual({ ...tenant, status: 'suspended' });
  await expect(setTenantStatus(stores, 'tnt_9', 'active')).rejects.toMatchObject({ code: '40403', message: 'The tenant does not exist' });
});
