import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ListPosition } from '@parcelway/kernel/list-position';
import type { GatewayStores } from '../operators/ports.ts';
import type { KeyHolder, KeyRecord } from '../proxy/domain/key.ts';
import type { TenantRecord } from '../tenants/domain/records.ts';
import { sampleKey } from '../testing/sample-key.ts';
import type { GatewayStoresDriver } from './gateway-stores.conformance.ts';

const PAGE = 4;
/** Records of the same instant in these tests. */
export const SAME_INSTANT = 5;
const HOLDERS: readonly KeyHolder[] = [
  { kind: 'tenant', tenantId: 'tnt_a' },
  { kind: 'warehouse', warehouseCode: 'W1' },
];

const tenant = (id: string, createdAt: number): TenantRecord => ({ id, name: id, status: 'active', createdAt });
const keyOf = (keyId: string, createdAt: number, holder: KeyHolder): KeyRecord => sampleKey({ keyId, createdAt, holder });

/** All records of a list, read page by page; ends at the first empty page. */
async function pageByPage<T>(
  read: (after: ListPosition | undefined) => Promise<T[]>,
  positionOf: (record: T) => ListPosition,
): Promise<T[]> {
  const found: T[] = [];
  let last: T | undefined;
  do {
    const page = await read(last && positionOf(last));
    found.push(...page);
    last = page.at(-1);
  } while (last !== undefined);
  return found;
}

/**
 * What every driver must do for the operator's lists of tenants and of keys.
 * @param open a driver with empty stores
 */
export function describeLists(name: string, open: () => Promise<GatewayStoresDriver>): void {
  describe(`lists of the operator: ${name}`, () => {
    let driver: GatewayStoresDriver;
    let stores: GatewayStores;
    beforeEach(async () => {
      driver = await open();
      stores = driver.stores;
      await stores.tenants.add(tenant('tnt_a', 1000));
      const warehouse = { code: 'W1', name: 'One', createdAt: 1000, closedAt: null, version: 1 };
      await stores.warehouses.add({ warehouse, message: { topic: 't', key: 'k', value: 'open W1' } });
    });
    afterEach(() => driver.close());

    test('tenants have pages, also amid those of the same instant', async () => {
      for (let at = 0; at < 30; at += 1) await stores.tenants.add(tenant(`tnt_b${10 + at}`, 2000 + Math.floor(at / SAME_INSTANT)));
      const all = await stores.tenants.list(100);
      expect(all).toHaveLength(31);
      const paged = await pageByPage(
        (after) => stores.tenants.list(PAGE, after),
        ({ createdAt, id }) => ({ createdAt, id }),
      );
      expect(paged).toEqual(all);
    });

    test('keys have pages for each filter, also amid those of the same instant', async () => {
      for (let at = 0; at < 40; at += 1)
        await stores.keys.add(keyOf(`key_${10 + at}`, 2000 + Math.floor(at / SAME_INSTANT), HOLDERS[at % 2] as KeyHolder));
      for (const [filter, count] of [
        [{}, 40],
        [{ tenantId: 'tnt_a' }, 20],
        [{ warehouseCode: 'W1' }, 20],
      ] as const) {
        const all = await stores.keys.list(filter, 100);
        expect(all).toHaveLength(count);
        const paged = await pageByPage(
          (after) => stores.keys.list(filter, PAGE, after),
          ({ createdAt, keyId }) => ({ createdAt, id: keyId }),
        );
        expect(paged).toEqual(all);
      }
    });

    test('go on behind a record that is gone, and end behind the last', async () => {
      for (const id of ['tnt_b', 'tnt_d']) await stores.tenants.add(tenant(id, 2000));
      expect(await stores.tenants.list(10, { createdAt: 2000, id: 'tnt_c' })).toEqual([tenant('tnt_d', 2000)]);
      expect(await stores.tenants.list(10, { createdAt: 2000, id: 'tnt_d' })).toEqual([]);
      const [holder] = HOLDERS as readonly [KeyHolder];
      for (const id of ['key_b', 'key_d']) await stores.keys.add(keyOf(id, 2000, holder));
      expect(await stores.keys.list({}, 10, { createdAt: 2000, id: 'key_c' })).toEqual([keyOf('key_b', 2000, holder)]);
      expect(await stores.keys.list({}, 10, { createdAt: 2000, id: 'key_b' })).toEqual([]);
    });
  });
}
