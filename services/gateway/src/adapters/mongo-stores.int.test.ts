import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AppError } from '@parcelway/kernel/app-error';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { openMongoStore } from '@parcelway/platform/open-mongo-store';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { isManager } from '../keys/domain/own-key-rules.ts';
import type { KeyGuard } from '../keys/key-collection.ts';
import type { KeyRecord } from '../proxy/domain/key.ts';
import { beginErasureOf, leaseErasure } from '../tenants/erasure-collection.ts';
import { tenants } from '../tenants/tenants.ts';
import { sampleKey } from '../testing/sample-key.ts';
import { createGatewayStores, type GatewayStores, gatewayCollections } from './gateway-stores.ts';

const NOW = 5000;
const keyOf = (keyId: string, given: Partial<KeyRecord> = {}): KeyRecord => sampleKey({ keyId, scopes: ['keys:manage'], ...given });
const tenant = { tenantId: 'tnt_a', name: 'A 绿', status: 'active', createdAt: 1 } as const;
const guard: KeyGuard = { tenantId: 'tnt_a', now: NOW };
/** Waits for a write that the guard may refuse. */
const unlessRefused = (write: Promise<unknown>) => write.catch((error: AppError) => expect(error.code).toBe('40902'));

let opened: TestDatabase;
/** Those of three processes. */
let replicas: readonly GatewayStores[];
let stores: GatewayStores;
beforeAll(async () => {
  opened = await openTestDatabase(gatewayCollections.map(mongoCollection));
  replicas = [opened.database, await opened.second(), await opened.second()].map((database) =>
    createGatewayStores(openMongoStore(database, gatewayCollections)),
  );
  [stores] = replicas as [GatewayStores];
  await startProfile(opened.database);
});
afterEach(() => opened.clear());
afterAll(() => opened.close());

/** Replicas do something at the same time, one after the other of them for each value. */
const atOnce = <T, R>(values: readonly T[], work: (replica: GatewayStores, value: T) => Promise<R>): Promise<R[]> =>
  Promise.all(values.map((value, place) => work(replicas[place % replicas.length] as GatewayStores, value)));

describe('keys of a tenant that replicas change at the same time', () => {
  const managers = async () => (await stores.keys.alive('tnt_a', NOW, 20)).filter((key) => isManager(key, NOW));

  test('are added up to the limit', async () => {
    await stores.store.apply([{ in: tenants, insert: tenant }]);
    const ids = Array.from({ length: 6 }, (_, no) => `key_${no}`);
    const added = await atOnce(ids, (replica, id) => replica.keys.addWithin(keyOf(id), 4, NOW));
    expect(added.filter(Boolean)).toHaveLength(4);
    expect(await stores.keys.alive('tnt_a', NOW, 20)).toHaveLength(4);
  });

  test.each<[string, (replica: GatewayStores, key: KeyRecord) => Promise<unknown>]>([
    ['revoked', ({ keys }, { keyId }) => unlessRefused(keys.revoke(keyId, NOW, { topic: 't', key: 'k', value: keyId }, guard))],
    ['changed', ({ keys }, key) => unlessRefused(keys.change({ ...key, scopes: ['files:write'], version: key.version + 1 }, guard))],
  ])('leave one that meets the guard when each is %s', async (_what, end) => {
    await stores.store.apply([{ in: tenants, insert: tenant }]);
    for (let no = 0; no < 6; no += 1) await stores.keys.add(keyOf(`key_${no}`));
    for (let left = await managers(); left.length > 1; left = await managers()) await atOnce(left, end);
    await atOnce(await managers(), end);
    expect(await managers()).toHaveLength(1);
  });

  test('leave one when the only one is rotated and revoked', async () => {
    await stores.store.apply([{ in: tenants, insert: tenant }]);
    await stores.keys.add(keyOf('key_1'));
    const former = keyOf('key_1', { rotatedTo: 'key_2', expiresAt: 9000, version: 1 });
    const message = { topic: 't', key: 'k', value: 'revoked' };
    const [isRotated] = await Promise.all([
      stores.keys.rotate(former, keyOf('key_2', { rotatedFrom: 'key_1' })),
      unlessRefused((replicas[1] as GatewayStores).keys.revoke('key_1', NOW, message, guard)),
    ]);
    const left = (await managers()).map(({ keyId }) => keyId);
    expect(left).toEqual(isRotated ? expect.arrayContaining(['key_2']) : ['key_1']);
  });
});

test('an erasure is taken by one replica', async () => {
  await beginErasureOf(stores.store, 'tnt_a', NOW);
  const taken = await atOnce(['one', 'two', 'three'], ({ store }, owner) => leaseErasure(store, owner, NOW, NOW + 60));
  expect(taken.filter((record) => record !== undefined)).toHaveLength(1);
});

test('no statement goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
