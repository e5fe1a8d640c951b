import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { openMongoStore } from '@parcelway/platform/open-mongo-store';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import type { KeyGuard } from '../keys/key-collection.ts';
import type { KeyRecord } from '../proxy/domain/key.ts';
import { beginErasureOf, erasureOf, leaseErasure, saveErasure } from '../tenants/erasure-collection.ts';
import { changeRetention, findTenant, tenants } from '../tenants/tenants.ts';
import { sampleKey } from '../testing/sample-key.ts';
import { createGatewayStores, type GatewayStores, gatewayCollections } from './gateway-stores.ts';

const NOW = 5000;
const keyOf = (keyId: string, given: Partial<KeyRecord> = {}): KeyRecord => sampleKey({ keyId, scopes: ['keys:manage'], ...given });
const tenant = { tenantId: 'tnt_a', name: 'A 绿', status: 'active', createdAt: 1 } as const;
const isManager = ({ scopes }: KeyRecord): boolean => scopes.includes('keys:manage');
const refusal = (): AppError => new AppError('40902');
const guard: KeyGuard = { tenantId: 'tnt_a', now: NOW, isMetBy: isManager, refusal };
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
  const managers = async () => (await stores.keys.alive('tnt_a', NOW, 20)).filter(isManager);

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

test('records come back as they were kept', async () => {
  const { store, keys, activity } = stores;
  await store.apply([{ in: tenants, insert: tenant }]);
  const retention = { version: 1, forecastDays: 30, fileDays: null };
  const context = { store, clock: new ManualClock(NOW), environment: 'sandbox' } as const;
  expect(await changeRetention(context, 'tnt_a', { forecastDays: 30 })).toEqual(retention);
  expect(await findTenant(store, 'tnt_a')).toEqual({ ...tenant, retention });
  const limited = keyOf('key_1', { rateLimit: { perSecond: 0.5, burst: 3 }, allowedAddresses: ['192.0.2.1'], expiresAt: 60_000 });
  const unlimited = keyOf('key_2', { rateLimit: 'off', holder: { kind: 'warehouse', warehouseCode: 'W1' } });
  for (const key of [limited, unlimited]) await keys.add(key);
  await keys.recordUse(new Map([['key_2', 7]]));
  expect(await keys.findByHash(limited.hash)).toEqual({ record: limited, tenantStatus: 'active' });
  expect(await keys.find('key_2')).toEqual({ ...unlimited, lastUsedAt: 7, version: 1 });
  const erasure = { ...(await beginErasureOf(store, 'tnt_a', NOW)), rememberedAt: NOW, counts: { 'file/files': 3 } };
  await leaseErasure(store, 'one', NOW, NOW + 60);
  expect(await saveErasure(store, erasure, 'one', NOW + 60)).toBe(true);
  expect(await erasureOf(store, 'tnt_a')).toEqual(erasure);
  const actor = { type: 'key', id: 'key_1', address: '203.0.113.7', session: 'link' } as const;
  const made = { action: 'key.created', actor, resourceType: 'key', resourceId: null, outcome: 'unknown', requestId: 'r' } as const;
  const entry = { ...made, entryId: 'aud_1', tenantId: null, at: NOW };
  await activity.audit.add(entry);
  await activity.audit.finish({ ...entry, outcome: 'success', resourceId: 'key_2' });
  expect(await activity.audit.list(undefined, {}, 9, undefined)).toEqual([{ ...entry, outcome: 'success', resourceId: 'key_2' }]);
  const failure = { status: 422, code: '42201', message: 'Invalid', data: '{"errors":[]}' };
  const sent = { requestId: 'r', method: 'POST', route: null, path: '/x', keyId: 'key_1', durationMs: 3 };
  const call = { ...failure, ...sent, callId: 'call_1', tenantId: 'tnt_a', at: NOW };
  await activity.failedCalls.add([call]);
  await activity.failedCalls.add([call, { ...call, callId: 'call_2' }]);
  expect(await activity.failedCalls.withRequestId('r', 'tnt_a', {}, 9, undefined)).toEqual([{ ...call, callId: 'call_2' }, call]);
});

test('no statement goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
