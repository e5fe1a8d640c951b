import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeGatewayStores, type GatewayStoresDriver } from './gateway-stores.conformance.ts';
import { describeLists, SAME_INSTANT } from './lists.conformance.ts';
import { gatewayCollections, keys, warehouses } from './mongo-schema.ts';
import { openMongoStores } from './mongo-stores.ts';
import { describeOperators } from './operators.conformance.ts';
import { describeTenantRetentions } from './tenant-retentions.conformance.ts';
import { describeTenants } from './tenants.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(gatewayCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

async function open(): Promise<GatewayStoresDriver> {
  const stores = openMongoStores(opened.database, systemClock);
  return {
    stores,
    published: () => stores.outbox.lease(100),
    async addUnannounced(code) {
      await opened.database.model(warehouses).collection.insertOne({ _id: code, name: 'Old', created_at: 1000 } as object);
    },
    close: () => opened.clear(),
  };
}

describeGatewayStores('MongoDB', open);
describeLists('MongoDB', open);
describeTenantRetentions('MongoDB', open);
describeOperators('MongoDB', open);
describeTenants('MongoDB', open);

test('however many replicas revoke a key, it is revoked and published once', async () => {
  const replicas = [opened.database, await opened.second(), await opened.second()].map((database) =>
    openMongoStores(database, systemClock),
  );
  const [first] = replicas;
  await first?.keys.add({
    keyId: 'key_a',
    prefix: 'pk_test_abcd',
    hash: 'hash',
    holder: { kind: 'warehouse', warehouseCode: 'W1' },
    scopes: ['warehouse:write'],
    rateLimit: null,
    description: '',
    createdAt: 1,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    allowedAddresses: [],
    createdBy: null,
    rotatedFrom: null,
    rotatedTo: null,
    version: 0,
  });
  const revoked = await Promise.all(
    replicas.map((stores, index) => stores.keys.revoke('key_a', 100 + index, { topic: 't', key: 'k', value: String(index) })),
  );
  expect(new Set(revoked.map((key) => key?.revokedAt)).size).toBe(1);
  expect(await first?.outbox.depth()).toMatchObject({ count: 1 });
});

test('a key of an older release is read with what it lacks, and changed', async () => {
  const { keys: stored } = openMongoStores(opened.database, systemClock);
  const old = {
    hash: 'old',
    prefix: 'pk',
    tenant_id: 'tnt_a',
    warehouse_code: null,
    scopes: ['files:write'],
    rate_limit: null,
    description: '',
  };
  const times = { created_at: 1, expires_at: null, revoked_at: null, last_used_at: null };
  await opened.database.model(keys).collection.insertOne({ _id: 'key_old', ...old, ...times } as object);
  const read = await stored.find('key_old');
  expect(read).toMatchObject({ allowedAddresses: [], createdBy: null, rotatedFrom: null, rotatedTo: null, version: 0 });
  const changed = { ...(read as NonNullable<typeof read>), description: 'changed', version: 1 };
  expect(await stored.change(changed)).toBe(true);
  expect(await stored.find('key_old')).toEqual(changed);
});

test('a page reads what it has and, at most, what is of the instant of its place', async () => {
  const profile = opened.database.connection.db?.collection('system.profile');
  const pages = await profile?.find({ 'command.find': { $in: ['tenants', 'keys'] }, 'command.sort': { $exists: true } }).toArray();
  expect(pages?.length).toBeGreaterThan(40);
  const read = pages?.map(({ command, planSummary, keysExamined, nreturned }) => ({ command, planSummary, keysExamined, nreturned })) ?? [];
  expect(read.filter(({ keysExamined, nreturned }) => keysExamined > nreturned + SAME_INSTANT)).toEqual([]);
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
