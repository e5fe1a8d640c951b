import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { createMongoStore } from '../mongo/mongo-store.ts';
import { mongoCollection } from '../mongo/mongo-store-schema.ts';
import type { Store } from '../store.ts';
import { describeShared } from './shared.conformance.ts';
import { sharedCollections } from './shared-collections.ts';
import { createWorkLease } from './work-leases.ts';

const NOW = 1_000_000;
const collections = sharedCollections.map(mongoCollection);

let opened: TestDatabase;
let store: Store;
beforeAll(async () => {
  opened = await openTestDatabase(collections);
  store = createMongoStore(opened.database);
  await startProfile(opened.database);
});
afterAll(() => opened.close());
const close = () => opened.clear();

describe('of one process', () => {
  describeShared('MongoDB', async () => ({ store, close, lease: (name) => createWorkLease(store, name) }), true);
});

test('of several processes that take the work at once one gets it, also the very first time', async () => {
  const stores = [store, createMongoStore(await opened.second()), createMongoStore(await opened.second())];
  const leases = stores.flatMap((one) => Array.from({ length: 5 }, () => createWorkLease(one, 'one')));
  for (const [round, place] of ['', 'round 0', 'round 1'].entries()) {
    const now = NOW + round * 100;
    const taken = await Promise.all(leases.map((lease) => lease.take(now, now + 60, now + 1000)));
    expect(taken.filter((one) => one !== undefined)).toEqual([place]);
    await leases[taken.findIndex((one) => one !== undefined)]?.giveBack(`round ${round}`, now);
  }
  await close();
});

test('a process whose lease was taken by another keeps nothing and gives nothing back', async () => {
  const [one, two] = [createWorkLease(store, 'one'), createWorkLease(store, 'one')];
  await one.take(NOW, NOW + 60, NOW + 1000);
  expect(await two.take(NOW + 59, NOW + 120, NOW + 1000)).toBeUndefined();
  expect(await two.take(NOW + 60, NOW + 120, NOW + 1000)).toBe('');
  expect(await one.keep('late', NOW + 500)).toBe(false);
  await one.giveBack('late', NOW);
  expect(await two.keep('tnt_b', NOW + 130)).toBe(true);
  expect(await one.take(NOW + 129, NOW + 200, NOW + 1000)).toBeUndefined();
  expect(await one.take(NOW + 130, NOW + 200, NOW + 1000)).toBe('tnt_b');
});

test('no statement goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});

test('every operation names the shard key', async () => {
  expect(await broadcastsOf(opened.database, collections)).toEqual([]);
});
