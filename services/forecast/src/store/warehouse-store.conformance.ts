import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { WarehouseSamples, WarehouseStore } from './ports.ts';

export interface WarehouseStoreDriver {
  readonly store: WarehouseStore & WarehouseSamples;
  close(): Promise<void>;
}

/**
 * What every driver of the directory of warehouses must do.
 * @param open a driver with an empty store
 */
export function describeWarehouseStore(name: string, open: () => Promise<WarehouseStoreDriver>): void {
  describe(`warehouse store: ${name}`, () => {
    let driver: WarehouseStoreDriver;
    let store: WarehouseStore & WarehouseSamples;
    beforeEach(async () => {
      driver = await open();
      store = driver.store;
    });
    afterEach(() => driver.close());

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

    test('keeps the latest version, in whatever order and however often they come', async () => {
      const versions = [
        { code: 'W1', version: 1, isOpen: true },
        { code: 'W1', version: 3, isOpen: false },
        { code: 'W1', version: 2, isOpen: true },
        { code: 'W1', version: 3, isOpen: true },
      ];
      for (const version of versions) await store.record(version);
      expect(await store.find('W1')).toEqual(versions[1]);
      await store.record({ code: 'W1', version: 4, isOpen: true });
      expect(await store.find('W1')).toMatchObject({ version: 4, isOpen: true });
    });

    test('survives the same news at the same time', async () => {
      await Promise.all(Array.from({ length: 8 }, () => store.record({ code: 'W1', version: 1, isOpen: true })));
      expect(await store.find('W1')).toMatchObject({ version: 1 });
    });
  });
}
