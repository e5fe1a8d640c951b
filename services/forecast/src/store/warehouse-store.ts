import { collection } from '@parcelway/store/collection';
import { keepNewer } from '@parcelway/store/shared/newer-version';
import type { Store } from '@parcelway/store/store';
import Type from 'typebox';
import type { KnownWarehouse, WarehouseSamples, WarehouseStore } from './ports.ts';

/** The warehouses that the gateway has published. */
export const warehouses = collection(
  'warehouses',
  Type.Object({ code: Type.String(), version: Type.Integer(), isOpen: Type.Boolean() }, { additionalProperties: false }),
  {
    describe: 'Codes of warehouses that forecasts may name',
    key: ['code'],
    lists: { codes: [] },
    tenant: { none: 'of all tenants' },
    shard: { unsharded: 'one small document for each warehouse' },
    ends: 'never',
  },
);

/** Keeps the warehouses that the service has heard of. */
export function createWarehouseStore(store: Store): WarehouseStore & WarehouseSamples {
  const some = async (limit: number): Promise<readonly KnownWarehouse[]> => {
    const { items } = await store.find(warehouses.by.codes, { eq: [], limit });
    return items.map(({ value }) => value);
  };
  return {
    find: async (code) => (await store.get(warehouses, [code]))?.value,
    isEmpty: async () => (await some(1)).length === 0,
    some,
    record: ({ code, version, isOpen }) => keepNewer(store, warehouses, { code, version, isOpen }),
  };
}
