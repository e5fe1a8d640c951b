import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import type { KeyRecord } from '../proxy/domain/key.ts';
import { sampleKey } from '../testing/sample-key.ts';
import { describeGatewayStores, type GatewayStoresDriver } from './gateway-stores.conformance.ts';
import { describeLists, SAME_INSTANT } from './lists.conformance.ts';
import { gatewayCollections, keys } from './mongo-schema.ts';
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
    close: () => opened.clear(),
  };
}

describeGatewayStores('MongoDB', open);
describeLists('MongoDB', open);
describeTenantRetentions('MongoDB', open);
describeOperators('MongoDB', open);
describeTenants('MongoDB', open);

const warehouseKey = sampleKey({
  keyId: 'key_a',
  holder: { kind: 'warehouse', warehouseCode: 'W1' },
  scopes: ['warehouse:write'],
});

describe('the rotation of the only key that manages keys', () => {
  const managing: KeyRecord = {
    ...warehouseKey,
    keyId: 'key_1',
    hash: 'first',
    holder: { kind: 'tenant', tenantId: 'tnt_r' },
    scopes: ['keys:manage'],
  };
  const former: KeyRecord = { ...managing, rotatedTo: 'key_2', expiresAt: 9000, version: 1 };
  const successor: KeyRecord = { ...managing, keyId: 'key_2', hash: 'second', rotatedFrom: 'key_1' };
  const guard = { tenantId: 'tnt_r', now: 2, isMetBy: ({ scopes }: KeyRecord) => scopes.includes('keys:manage') };

  /** Has something happen right before the former key is written. */
  function beforeTheChange(happen: () => Promise<unknown>): void {
    const { collection } = opened.database.model(keys);
    const write = collection.updateOne.bind(collection);
    jest.spyOn(collection, 'updateOne').mockImplementationOnce(async (...given) => {
      await happen();
      return write(...given);
    });
  }

  beforeAll(async () => {
    const { tenants } = openMongoStores(opened.database, systemClock);
    await tenants.add({ id: 'tnt_r', name: 'Merchant', status: 'active', createdAt: 1 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await opened.database.model(keys).collection.deleteMany({ tenant_id: 'tnt_r' });
  });

  test.each<[string, (stores: ReturnType<typeof openMongoStores>) => Promise<unknown>]>([
    ['revokes it', (stores) => stores.keys.revoke('key_1', 2, { topic: 't', key: 'k', value: 'v' }, guard)],
    ['drops its scope', (stores) => stores.keys.change({ ...managing, scopes: ['files:write'], version: 1 }, guard)],
  ])('leaves one, also when another replica %s meanwhile', async (_what, end) => {
    const { keys: stored } = openMongoStores(opened.database, systemClock);
    const other = openMongoStores(await opened.second(), systemClock);
    await stored.add(managing);
    beforeTheChange(() => end(other));
    expect(await stored.rotate(former, successor)).toBe(true);
    expect((await stored.alive('tnt_r', 2, 10)).filter(guard.isMetBy)).toEqual([successor, former]);
  });

  test('leaves no successor when it ends in the middle', async () => {
    const { keys: stored } = openMongoStores(opened.database, systemClock);
    await stored.add(managing);
    beforeTheChange(() => Promise.reject(new Error('The process is gone')));
    await expect(stored.rotate(former, successor)).rejects.toThrow('gone');
    expect(await stored.alive('tnt_r', 2, 10)).toEqual([managing]);
  });
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
