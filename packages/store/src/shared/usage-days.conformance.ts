import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import { AMOUNTS_KEPT_PER_DAY, type UsageOfDay, type UsageStore } from '@parcelway/kernel/usage-counter';

/** A store under test over an empty database. */
export interface UsageStoreDriver {
  readonly store: UsageStore;
  readonly kind: TenantDataKind;
  close(): Promise<void>;
}

/**
 * What every store of usage must do.
 * @param openDriver a driver with an empty database
 * @param isDoubtful true for a store whose batch may be added although it failed
 */
export function describeUsageStore(name: string, openDriver: () => Promise<UsageStoreDriver>, isDoubtful = false): void {
  describe(`the usage of tenants: ${name}`, () => {
    let driver: UsageStoreDriver;
    beforeEach(async () => {
      driver = await openDriver();
    });
    afterEach(() => driver.close());

    let number = 0;
    const add = (records: readonly UsageOfDay[]): Promise<void> => {
      number += 1;
      return driver.store.add({ counter: 'c1', number, records });
    };
    const record = (day: string, amounts: Record<string, number>, tenantId = 'tnt_1') => ({ tenantId, day, amounts });

    test('adds up for each tenant and day', async () => {
      const { store } = driver;
      await add([
        record('2026-01-31', { calls: 2 }),
        record('2026-02-01', { calls: 1, files: 1 }),
        record('2026-02-01', { calls: 9 }, 'tnt_2'),
      ]);
      await add([record('2026-02-01', { calls: 4, bytes: 5_000_000_000 })]);
      expect(await store.days('tnt_1', '2026-01-31', '2026-02-01')).toEqual([
        record('2026-01-31', { calls: 2 }),
        record('2026-02-01', { calls: 5, files: 1, bytes: 5_000_000_000 }),
      ]);
      expect(await store.days('tnt_1', '2026-02-01', '2026-02-28')).toHaveLength(1);
      expect(await store.days('tnt_3', '2026-01-31', '2026-02-01')).toEqual([]);
    });

    test('reads the amounts whose names begin so', async () => {
      const amounts = { 'ep_1:failed': 1, 'ep_1:succeeded': 2, 'ep_12:failed': 3 };
      await add([record('2026-01-31', amounts), record('2026-02-01', { 'ep_12:failed': 4 })]);
      const days = await driver.store.days('tnt_1', '2026-01-31', '2026-02-01', 'ep_1:');
      expect(days.find(({ day }) => day === '2026-01-31')?.amounts).toEqual({ 'ep_1:failed': 1, 'ep_1:succeeded': 2 });
      expect(await driver.store.days('tnt_1', '2026-01-31', '2026-01-31')).toEqual([record('2026-01-31', amounts)]);
      expect(days.every(({ tenantId }) => tenantId === 'tnt_1')).toBe(true);
    });

    test('keeps all amounts of a day up to a number, and goes on for others behind it', async () => {
      const names = (count: number, prefix: string) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 1]));
      await add([record('2026-02-01', names(AMOUNTS_KEPT_PER_DAY, 'a'))]);
      await add([record('2026-02-01', { ...names(10, 'b'), a7: 2 }), record('2026-02-01', { calls: 1 }, 'tnt_2')]);
      const [day] = await driver.store.days('tnt_1', '2026-02-01', '2026-02-01');
      expect(day?.amounts).toMatchObject({ ...names(AMOUNTS_KEPT_PER_DAY, 'a'), a7: 3 });
      expect(await driver.store.days('tnt_2', '2026-02-01', '2026-02-01')).toEqual([record('2026-02-01', { calls: 1 }, 'tnt_2')]);
    });

    test('adds a batch once, and the next one of the same and of another counter', async () => {
      const { store } = driver;
      const batch = (counter: string, number: number) => ({ counter, number, records: [record('2026-02-01', { calls: 1 })] });
      const done = [batch('a', 1), batch('a', 2), batch('b', 1)];
      for (const one of done) await store.add(one);
      if (isDoubtful) for (const one of done.slice(1)) await store.add(one);
      expect(await store.days('tnt_1', '2026-02-01', '2026-02-01')).toEqual([record('2026-02-01', { calls: 3 })]);
    });

    test('adds what several counters write at the same moment', async () => {
      const { store } = driver;
      const counters = ['a', 'b', 'c', 'd', 'e'];
      await Promise.all(counters.map((counter) => store.add({ counter, number: 1, records: [record('2026-02-01', { calls: 1 })] })));
      expect(await store.days('tnt_1', '2026-02-01', '2026-02-01')).toEqual([record('2026-02-01', { calls: 5 })]);
    });

    test('keeps what was measured as it is, beside what was counted, and once more after a repeat', async () => {
      const { store } = driver;
      await store.set(record('2026-02-01', { storage_files: 0, storage_bytes: 0 }));
      expect(await store.days('tnt_1', '2026-02-01', '2026-02-01')).toEqual([record('2026-02-01', { storage_files: 0, storage_bytes: 0 })]);
      await add([record('2026-02-01', { files: 2 })]);
      const measured = record('2026-02-01', { storage_files: 3, storage_bytes: 5_000_000_000 });
      for (const _twice of [1, 2]) await store.set(measured);
      await add([record('2026-02-01', { files: 1 })]);
      await store.set(record('2026-02-02', { storage_files: 1 }));
      await store.set(record('2026-02-01', { storage_files: 9 }, 'tnt_2'));
      expect(await store.days('tnt_1', '2026-02-01', '2026-02-02')).toEqual([
        record('2026-02-01', { files: 3, storage_files: 3, storage_bytes: 5_000_000_000 }),
        record('2026-02-02', { storage_files: 1 }),
      ]);
    });

    test('keeps what was measured and what was counted at the same moment', async () => {
      const { store } = driver;
      // Each counter writes its batches one after the other: those of one moment are of several.
      const count = (counter: string) => store.add({ counter, number: 1, records: [record('2026-02-01', { files: 1 })] });
      await Promise.all([
        store.set(record('2026-02-01', { storage_files: 3 })),
        count('a'),
        store.set(record('2026-02-01', { storage_bytes: 4 })),
        count('b'),
      ]);
      expect(await store.days('tnt_1', '2026-02-01', '2026-02-01')).toEqual([
        record('2026-02-01', { files: 2, storage_files: 3, storage_bytes: 4 }),
      ]);
    });

    test('takes the records of many tenants at once', async () => {
      const records = Array.from({ length: 1500 }, (_, number) => record('2026-02-01', { calls: 1 }, `tnt_${number}`));
      await add(records);
      expect(await driver.store.days('tnt_1499', '2026-02-01', '2026-02-01')).toHaveLength(1);
    });

    test('lists and erases what a tenant used', async () => {
      const { store, kind } = driver;
      await add([record('2026-02-01', { calls: 1 }), record('2026-02-02', { calls: 2 }), record('2026-02-02', { calls: 3 }, 'tnt_2')]);
      const listed = (await kind.list?.('tnt_1', null)) ?? [];
      expect(listed.map(({ record: { day } }) => day)).toEqual(['2026-02-01', '2026-02-02']);
      expect(await kind.list?.('tnt_1', listed[0]?.cursor ?? null)).toHaveLength(1);
      expect(await kind.erase?.('tnt_1')).toBe(2);
      expect(await kind.erase?.('tnt_1')).toBe(0);
      expect(await store.days('tnt_2', '2026-02-01', '2026-02-02')).toHaveLength(1);
    });
  });
}
