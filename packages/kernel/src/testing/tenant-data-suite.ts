import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ListedRecord, TenantData, TenantDataKind } from '../tenant-data.ts';

/** The data of a service under test. */
export interface TenantDataDriver {
  readonly data: TenantData;
  /** Writes something of every kind for a tenant. `mark` is a text that each text of the tenant contains, besides the tenant's id. */
  fill(tenantId: string, mark: string): Promise<void>;
  /** Everything in the store, as text, but for the erased tenants. */
  dump(): Promise<string>;
  close(): Promise<void>;
}

/** All records of a kind behind a place, page by page. */
export async function allRecords({ list }: TenantDataKind, tenantId: string, from: string | null = null): Promise<readonly ListedRecord[]> {
  const all: ListedRecord[] = [];
  for (let after = from; ; ) {
    const page: readonly ListedRecord[] = (await list?.(tenantId, after)) ?? [];
    if (page.length === 0) return all;
    all.push(...page);
    after = page.at(-1)?.cursor ?? null;
  }
}

async function exported(data: TenantData, tenantId: string): Promise<Readonly<Record<string, readonly object[]>>> {
  const kinds: Record<string, readonly object[]> = {};
  for (const kind of data.kinds) if (kind.list) kinds[kind.name] = (await allRecords(kind, tenantId)).map(({ record }) => record);
  return kinds;
}

async function eraseAll(data: TenantData, tenantId: string): Promise<number> {
  let total = 0;
  for (const kind of data.kinds) {
    for (let erased = 1; erased > 0; total += erased) erased = (await kind.erase?.(tenantId)) ?? 0;
  }
  return total;
}

/** What the data of every service must do, in both stores. @param kinds names of those that are listed */
export function describeTenantData(name: string, kinds: readonly string[], open: () => Promise<TenantDataDriver>): void {
  describe(`data of tenants: ${name}`, () => {
    let driver: TenantDataDriver;
    let data: TenantData;
    beforeEach(async () => {
      driver = await open();
      data = driver.data;
      await driver.fill('tnt_a', 'ALPHA');
      await driver.fill('tnt_ab', 'BETA');
    });
    afterEach(() => driver.close());

    test('lists every kind of a tenant, and nothing of another', async () => {
      const records = await exported(data, 'tnt_a');
      expect(Object.keys(records).sort()).toEqual([...kinds].sort());
      for (const [kind, list] of Object.entries(records)) expect([kind, list.length]).not.toEqual([kind, 0]);
      expect(JSON.stringify(records)).toContain('ALPHA');
      expect(JSON.stringify(records)).not.toMatch(/BETA|tnt_ab|SECRET|"outbox/);
      expect(Object.values(await exported(data, 'tnt_none')).flat()).toEqual([]);
    });

    test('goes on behind any record', async () => {
      for (const kind of data.kinds) {
        const all = await allRecords(kind, 'tnt_a');
        for (const [place, { cursor }] of all.entries()) expect(await allRecords(kind, 'tnt_a', cursor)).toEqual(all.slice(place + 1));
      }
    });

    test('erases all of a tenant in steps, and nothing of another', async () => {
      const other = await exported(data, 'tnt_ab');
      expect(await eraseAll(data, 'tnt_a')).toBeGreaterThanOrEqual(kinds.length - 1);
      const left = await driver.dump();
      expect(left).not.toMatch(/ALPHA|tnt_a\b/);
      expect(left).toContain('BETA');
      expect(await exported(data, 'tnt_ab')).toEqual(other);
      expect(await eraseAll(data, 'tnt_a')).toBe(0);
    });

    test('remembers an erased tenant once', async () => {
      await data.erased.remember('tnt_a', 1000);
      await data.erased.remember('tnt_a', 2000);
      await data.erased.remember('tnt_b', 3000);
      const all = await data.erased.list(null);
      expect(all.map(({ tenantId }) => tenantId)).toEqual(['tnt_a', 'tnt_b']);
      const behind = await data.erased.list(all[0]?.cursor ?? null);
      expect(behind.map(({ tenantId }) => tenantId)).toContain('tnt_b');
    });
  });
}
