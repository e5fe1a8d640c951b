import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { WarehouseDirectory } from '../store/ports.ts';
import { createWarehouseStore, type KnownWarehouse } from '../store/warehouse-store.ts';
import { openStores } from '../testing/store-under-test.ts';
import { createWarehouseDirectory } from './warehouse-directory.ts';

let clock: ManualClock;
let stores: ReturnType<typeof openStores>;
let store: ReturnType<typeof createWarehouseStore>;
let finds: number;
let directory: WarehouseDirectory;
const isOpen = (code: string, open = true): KnownWarehouse => ({ code, version: open ? 1 : 2, isOpen: open });

beforeEach(async () => {
  clock = new ManualClock(1_000_000);
  stores = openStores();
  store = createWarehouseStore(stores.documents);
  finds = 0;
  const find = (code: string) => {
    finds += 1;
    return store.find(code);
  };
  directory = createWarehouseDirectory({ store: { ...store, find }, clock });
});
afterEach(() => stores.close());

test('before any warehouse is known no code can be judged', async () => {
  await expect(directory.exists('W1')).rejects.toMatchObject({ code: '50301' });
});

test('some warehouses come in the order of their codes', async () => {
  for (const code of ['W3', 'W1', 'W2']) await store.record(isOpen(code, code !== 'W1'));
  expect(await store.some(2)).toEqual([isOpen('W1', false), isOpen('W2')]);
});

test('an older event of a warehouse has no effect', async () => {
  await store.record(isOpen('W1', false));
  await store.record(isOpen('W1'));
  expect(await directory.exists('W1')).toBe(false);
});

test('an open warehouse exists, and is not looked up again for a moment', async () => {
  await store.record(isOpen('W1'));
  expect(await directory.exists('W1')).toBe(true);
  expect(await directory.exists('W1')).toBe(true);
  expect(finds).toBe(1);
  await store.record(isOpen('W1', false));
  clock.advance(2000);
  expect(await directory.exists('W1')).toBe(false);
});

test('a closed warehouse does not exist, without a wait', async () => {
  await store.record(isOpen('W2', false));
  expect(await directory.exists('W2')).toBe(false);
  expect(finds).toBe(1);
});

test('an unknown code is waited for, by all who ask for it together', async () => {
  await store.record(isOpen('W1'));
  const asked = Promise.all([directory.exists('W2'), directory.exists('W2'), directory.exists('W2')]);
  await store.record(isOpen('W2'));
  expect(await asked).toEqual([true, true, true]);
  // Each looked once, and the wait once for all.
  expect(finds).toBe(4);
});

test('a code that stays unknown is refused after the wait, and at once for a while', async () => {
  await store.record(isOpen('W1'));
  const startedAt = performance.now();
  expect(await directory.exists('W2')).toBe(false);
  const waitedMs = performance.now() - startedAt;
  expect(waitedMs).toBeGreaterThan(900);
  expect(finds).toBe(21);
  expect(await directory.exists('W2')).toBe(false);
  expect(finds).toBe(22);
  // Known as soon as its event has come.
  await store.record(isOpen('W2'));
  expect(await directory.exists('W2')).toBe(true);
  clock.advance(2000);
  const later = directory.exists('W3');
  await store.record(isOpen('W3'));
  expect(await later).toBe(true);
});
