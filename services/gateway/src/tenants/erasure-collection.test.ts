import { beforeEach, expect, test } from '@jest/globals';
import type { Store } from '@parcelway/store/store';
import { NOW, setUpStores } from '../testing/set-up-stores.ts';
import { beginErasure, withCount } from './domain/erasure.ts';
import { beginErasureOf, erasureOf, leaseErasure, postponeErasure, saveErasure } from './erasure-collection.ts';

let store: Store;
beforeEach(() => {
  ({ store } = setUpStores().stores);
});

test('are taken by one process at a time, and by another when it is silent', async () => {
  await beginErasureOf(store, 'tnt_a', NOW);
  expect(await leaseErasure(store, 'one', NOW, NOW + 60)).toEqual(beginErasure('tnt_a', NOW));
  expect(await leaseErasure(store, 'two', NOW + 59, NOW + 90)).toBeUndefined();
  expect(await leaseErasure(store, 'one', NOW + 10, NOW + 60)).toMatchObject({ tenantId: 'tnt_a' });
  const progress = withCount({ ...beginErasure('tnt_a', NOW), rememberedAt: NOW }, 'file', 'files', 3);
  expect(await saveErasure(store, progress, 'one', NOW + 100)).toBe(true);
  expect(await leaseErasure(store, 'two', NOW + 99, NOW + 150)).toBeUndefined();
  expect(await leaseErasure(store, 'two', NOW + 100, NOW + 150)).toEqual(progress);
  expect(await saveErasure(store, progress, 'one', NOW + 200)).toBe(false);
});

test('are given back when they fail, so that others have their turn', async () => {
  await beginErasureOf(store, 'tnt_a', NOW);
  expect(await leaseErasure(store, 'one', NOW, NOW + 60)).toMatchObject({ tenantId: 'tnt_a' });
  await postponeErasure(store, 'tnt_a', 'two', 'not its owner', NOW + 500);
  await postponeErasure(store, 'tnt_a', 'one', 'the service is out', NOW + 500);
  await postponeErasure(store, 'tnt_a', 'one', 'not its owner any more', NOW + 900);
  await beginErasureOf(store, 'tnt_b', NOW);
  expect(await leaseErasure(store, 'one', NOW + 10, NOW + 1000)).toMatchObject({ tenantId: 'tnt_b' });
  expect(await leaseErasure(store, 'two', NOW + 499, NOW + 560)).toBeUndefined();
  const failed = { ...beginErasure('tnt_a', NOW), failures: 1, failure: 'the service is out' };
  expect(await leaseErasure(store, 'two', NOW + 500, NOW + 560)).toEqual(failed);
  await saveErasure(store, withCount(failed, 'file', 'files', 3), 'two', NOW + 600);
  expect(await erasureOf(store, 'tnt_a')).toMatchObject({ failures: 0, failure: null });
});

test('that failed are tried at once when they are asked for again, and not while a process works on them', async () => {
  await beginErasureOf(store, 'tnt_a', NOW);
  await leaseErasure(store, 'one', NOW, NOW + 60);
  const counted = withCount({ ...beginErasure('tnt_a', NOW), rememberedAt: NOW }, 'file', 'files', 3);
  await saveErasure(store, counted, 'one', NOW + 60);
  await postponeErasure(store, 'tnt_a', 'one', 'the service is out', NOW + 500);
  expect(await leaseErasure(store, 'one', NOW + 10, NOW + 70)).toBeUndefined();
  expect(await beginErasureOf(store, 'tnt_a', NOW + 10)).toEqual(counted);
  expect(await erasureOf(store, 'tnt_a')).toEqual(counted);
  expect(await leaseErasure(store, 'one', NOW + 10, NOW + 70)).toEqual(counted);
  const failed = { ...counted, failures: 2, failure: 'the service is out' };
  await saveErasure(store, failed, 'one', NOW + 70);
  expect(await beginErasureOf(store, 'tnt_a', NOW + 20)).toEqual(failed);
  expect(await leaseErasure(store, 'two', NOW + 69, NOW + 90)).toBeUndefined();
});
