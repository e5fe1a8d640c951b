import { collection } from '@parcelway/store/collection';
import type { Store } from '@parcelway/store/store';
import { keepNewer } from '@parcelway/store/upsert';
import Type from 'typebox';

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

/** A warehouse as the events of the gateway describe it. Its version rises with each change. Forecasts may name it while it is open. */
export type KnownWarehouse = Readonly<NonNullable<(typeof warehouses)['document']>>;

export type WarehouseStore = ReturnType<typeof createWarehouseStore>;

/** Keeps the warehouses that the service has heard of. */
export function createWarehouseStore(store: Store) {
  /** The first known ones, in the order of their codes. */
  const some = async (limit: number): Promise<readonly KnownWarehouse[]> => {
    const { items } = await store.find(warehouses.by.codes, { eq: [], limit });
    return items.map(({ value }) => value);
  };
  return {
    some,
    find: async (code: string): Promise<KnownWarehouse | undefined> => (await store.get(warehouses, [code]))?.value,
    /** True before the first warehouse has been recorded. */
    isEmpty: async (): Promise<boolean> => (await some(1)).length === 0,
    /** Keeps what is newer than what is known; does nothing otherwise. */
    record: ({ code, version, isOpen }: KnownWarehouse): Promise<void> => keepNewer(store, warehouses, { code, version, isOpen }),
  };
}
