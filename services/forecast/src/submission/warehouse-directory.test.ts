import { beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { WarehouseDirectory } from '../store/ports.ts';
import type { KnownWarehouse } from '../store/warehouse-store.ts';
import { createWarehouseDirectory } from './warehouse-directory.ts';

/** A store in memory that counts what it is asked. */
class CountingStore {
  readonly known = new Map<string, KnownWarehouse>();
  finds = 0;
  async find(code: string): Promise<KnownWarehouse | undefined> {
    this.finds += 1;
    return this.known.get(code);
  }
  async isEmpty(): Promise<boolean> {
    return this.known.size === 0;
  }
  async record(warehouse: KnownWarehouse): Promise<void> {
    this.known.set(warehouse.code, warehouse);
  }
}

let clock: ManualClock;
let store: CountingStore;
let directory: WarehouseDirectory;
const isOpen = (code: string, open = true): KnownWarehouse => ({ code, version: 1, isOpen: open });

beforeEach(async () => {
  clock = new ManualClock(1_000_000);
  store = new CountingStore();
  directory = createWarehouseDirectory({ store, clock });
  await store.record(isOpen('W1'));
});

test('an open warehouse exists, and is not looked up again for a moment', async () => {
  expect(await directory.exists('W1')).toBe(true);
  expect(await directory.exists('W1')).toBe(true);
  expect(store.finds).toBe(1);
  await store.record(isOpen('W1', false));
  clock.advance(2000);
  expect(await directory.exists('W1')).toBe(false);
});

test('a closed warehouse does not exist, without a wait', async () => {
  await store.record(isOpen('W2', false));
  expect(await directory.exists('W2')).toBe(false);
  expect(store.finds).toBe(1);
});

test('an unknown code is waited for, by all who ask for it together', async () => {
  const asked = Promise.all([directory.exists('W2'), directory.exists('W2'), directory.exists('W2')]);
  await store.record(isOpen('W2'));
  expect(await asked).toEqual([true, true, true]);
  // Each looked once, and the wait once for all.
  expect(store.finds).toBe(4);
});

test('a code that stays unknown is refused after the wait, and at once for a while', async () => {
  const startedAt = performance.now();
  expect(await directory.exists('W2')).toBe(false);
  const waitedMs = performance.now() - startedAt;
  expect(waitedMs).toBeGreaterThan(900);
  expect(store.finds).toBe(21);
  expect(await directory.exists('W2')).toBe(false);
  expect(store.finds).toBe(22);
  // Known as soon as its event has come.
  await store.record(isOpen('W2'));
  expect(await directory.exists('W2')).toBe(true);
  clock.advance(2000);
  const later = directory.exists('W3');
  await store.record(isOpen('W3'));
  expect(await later).toBe(true);
});

test('before any warehouse is known no code can be judged', async () => {
  store.known.clear();
  await expect(directory.exists('W1')).rejects.toMatchObject({ code: '50301' });
});
