import { expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { defaultTenantScopes } from '@parcelway/contracts/scopes';
import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStores } from './adapters/sqlite-stores.ts';
import { issueKey, revokeKey } from './manage-keys.ts';
import { createTenant } from './manage-tenants.ts';
import { addWarehouse } from './manage-warehouses.ts';

function setUp() {
  const clock = new ManualClock(1_000_000);
  const stores = createSqliteStores(new SqliteDatabase(':memory:'), clock);
  return { clock, stores, options: { clock, stores, environment: 'sandbox' as const } };
}

test('a new key expires when it was asked to, and shows no more of itself than its beginning', async () => {
  const { stores, options, clock } = setUp();
  const tenant = await createTenant(stores, clock, 'Acme');
  const { record, key } = await issueKey(options, { holder: { kind: 'tenant', tenantId: tenant.id }, expiresInSeconds: 60 });
  expect(record).toMatchObject({ expiresAt: 1_060_000, prefix: key.slice(0, 12) });
  expect(JSON.stringify(await stores.keys.find(record.keyId))).not.toContain(key);
});

test('the key of a warehouse may write and read as a warehouse', async () => {
  const { options } = setUp();
  await addWarehouse(options, { code: 'W1', name: 'One' });
  const { record } = await issueKey(options, { holder: { kind: 'warehouse', warehouseCode: 'W1' } });
  expect(record.scopes).toEqual(['warehouse:write', 'warehouse:read']);
});

test('a revocation is published as an event of the tenant, and keeps its time when it is asked for again', async () => {
  const { stores, options, clock } = setUp();
  const tenant = await createTenant(stores, clock, 'Acme');
  const { record } = await issueKey(options, { holder: { kind: 'tenant', tenantId: tenant.id } });
  clock.advance(5000);
  expect(await revokeKey(options, record.keyId)).toMatchObject({ record: { revokedAt: 1_005_000 }, isRepetition: false });
  clock.advance(5000);
  expect(await revokeKey(options, record.keyId)).toMatchObject({ record: { revokedAt: 1_005_000 }, isRepetition: true });
  const [waiting] = await stores.outbox.lease(10);
  expect(waiting?.topic).toBe('gateway.events.v1');
  expect(decodeEvent(String(waiting?.value))).toMatchObject({ type: 'key.revoked', subject: record.keyId, tenantid: tenant.id });
});

test('a key has every scope of its holder but the one that makes keys, no limit of its own and no end, unless it is asked for', async () => {
  const { stores, options, clock } = setUp();
  const tenant = await createTenant(stores, clock, 'Acme');
  const holder = { kind: 'tenant', tenantId: tenant.id } as const;
  const { record } = await issueKey(options, { holder });
  expect(record).toMatchObject({
    keyId: expect.stringMatching(/^key_/),
    scopes: defaultTenantScopes,
    rateLimit: null,
    description: '',
    expiresAt: null,
  });
  const asked = { scopes: ['weighing:read'], rateLimit: 'off', description: 'ERP' } as const;
  expect((await issueKey(options, { holder, ...asked })).record).toMatchObject(asked);
});

test('a key has no scope that its holder cannot use', async () => {
  const { options } = setUp();
  await addWarehouse(options, { code: 'W1', name: 'One' });
  const holder = { kind: 'warehouse', warehouseCode: 'W1' } as const;
  await expect(issueKey(options, { holder, scopes: ['warehouse:write', 'files:write'] })).rejects.toMatchObject({
    code: '42201',
    data: {
      errors: [
        {
          field: 'scopes[1]',
          rule: 'enum',
          message: expect.stringMatching(/^scopes\[1\] must be one of warehouse:.* for the key of a warehouse$/),
        },
      ],
    },
  });
});

test('what does not exist is said to', async () => {
  const { options } = setUp();
  const message = (code: string, text: string) => ({ code, message: text });
  await expect(issueKey(options, { holder: { kind: 'tenant', tenantId: 'tnt_9' } })).rejects.toMatchObject(
    message('40403', 'The tenant does not exist'),
  );
  await expect(issueKey(options, { holder: { kind: 'warehouse', warehouseCode: 'W9' } })).rejects.toMatchObject(
    message('40403', 'The warehouse does not exist'),
  );
  await expect(revokeKey(options, 'key_9')).rejects.toMatchObject(message('40403', 'The key does not exist'));
});

test('the revocation of a key of a warehouse names the warehouse', async () => {
  const { stores, options } = setUp();
  await addWarehouse(options, { code: 'W1', name: 'One' });
  const { record } = await issueKey(options, { holder: { kind: 'warehouse', warehouseCode: 'W1' } });
  await revokeKey(options, record.keyId);
  const waiting = (await stores.outbox.lease(10)).at(-1);
  expect(decodeEvent(String(waiting?.value))).toMatchObject({
    type: 'key.revoked',
    tenantid: 'warehouse:W1',
    environment: 'sandbox',
    data: { key_id: record.keyId },
  });
});
