import { expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStores } from './adapters/sqlite-stores.ts';
import { createTenantWithKey } from './create-tenant-with-key.ts';

function setUp() {
  const clock = new ManualClock(1_000_000);
  const stores = createSqliteStores(new SqliteDatabase(':memory:'), clock);
  return { clock, stores, environment: 'sandbox' as const };
}
const origin = { secret: 'a secret of the installation', seed: 'seed' };

test('a request that broke off after the tenant goes on with its key', async () => {
  const options = setUp();
  const { keys } = options.stores;
  const add = jest.spyOn(keys, 'add').mockRejectedValueOnce(new Error('broken'));
  await expect(createTenantWithKey(options, 'Acme', origin)).rejects.toThrow('broken');
  expect(add).toHaveBeenCalledTimes(1);
  const made = await createTenantWithKey(options, 'Acme', origin);
  expect(await options.stores.tenants.list(10)).toEqual([made.tenant]);
  expect(await keys.alive(made.tenant.id, 1_000_000, 10)).toEqual([made.key.record]);
});

test('a repeated request gives the same tenant and the same key; another one gives others', async () => {
  const options = setUp();
  const first = await createTenantWithKey(options, 'Acme', origin);
  options.clock.advance(1000);
  expect(await createTenantWithKey(options, 'Acme', origin)).toEqual(first);
  const other = await createTenantWithKey(options, 'Acme', undefined);
  expect(other.tenant.id).not.toBe(first.tenant.id);
  expect(await options.stores.tenants.list(10)).toHaveLength(2);
});
