import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openStores } from '../testing/open-stores.ts';
import { createWarehouseStore } from './warehouse-store.ts';

let stores: ReturnType<typeof openStores>;
let store: ReturnType<typeof createWarehouseStore>;
beforeEach(() => {
  stores = openStores();
  store = createWarehouseStore(stores.documents);
});
afterEach(() => stores.close());

test('knows what was recorded', async () => {
  expect(await store.isEmpty()).toBe(true);
  expect(await store.find('W1')).toBeUndefined();
  await store.record({ code: 'W1', version: 1, isOpen: true });
  await store.record({ code: 'W2', version: 4, isOpen: false });
  expect(await store.isEmpty()).toBe(false);
  expect(await store.find('W1')).toEqual({ code: 'W1', version: 1, isOpen: true });
  expect(await store.find('W2')).toEqual({ code: 'W2', version: 4, isOpen: false });
});

test('lists some in the order of their codes', async () => {
  for (const code of ['W3', 'W1', 'W2']) await store.record({ code, version: 1, isOpen: code !== 'W1' });
  expect(await store.some(2)).toEqual([
    { code: 'W1', version: 1, isOpen: false },
    { code: 'W2', version: 1, isOpen: true },
  ]);
});
