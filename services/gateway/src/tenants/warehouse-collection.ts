import { collection } from '@parcelway/store/collection';
import type { Store, Stored, Write } from '@parcelway/store/store';
import Type from 'typebox';
import type { WarehouseRecord } from './domain/records.ts';
import type { WarehouseChange } from './domain/warehouse-events.ts';

/** Warehouses. The version of a record is that of the store. */
export const warehouses = collection(
  'warehouses',
  Type.Object(
    { code: Type.String(), name: Type.String(), createdAt: Type.Integer(), closedAt: Type.Optional(Type.Integer()) },
    { additionalProperties: false },
  ),
  {
    describe: 'Warehouses',
    key: ['code'],
    lists: { code: ['code'] },
    hasMessages: true,
    tenant: { none: 'warehouses serve all tenants' },
    shard: { unsharded: 'one small document for each warehouse' },
    ends: 'never',
  },
);

type Warehouse = NonNullable<(typeof warehouses)['document']>;

const documentOf = ({ version: _version, closedAt, ...warehouse }: WarehouseRecord): Warehouse => ({
  ...warehouse,
  ...(closedAt !== null && { closedAt }),
});
const recordOf = ({ value, version }: Stored<Warehouse>): WarehouseRecord => ({ closedAt: null, ...value, version });

/** Keeps warehouses. @param store with {@link warehouses} */
export function createWarehouseStore(store: Store) {
  const isWritten = async (write: Write<Warehouse>): Promise<boolean> => {
    const [outcome] = await store.apply([write as Write]);
    return outcome?.kind === 'written';
  };
  return {
    /** Writes a new warehouse and its event in one durable step. @returns false when the code is taken; nothing changes then */
    add: ({ warehouse, message }: WarehouseChange) => isWritten({ in: warehouses, insert: documentOf(warehouse), messages: [message] }),
    /**
     * Writes a changed warehouse and its event in one durable step.
     * @returns false when the stored version is not the one before; nothing changes then
     */
    change({ warehouse, message }: WarehouseChange): Promise<boolean> {
      const { code: _code, ...set } = documentOf(warehouse);
      const patch = { value: documentOf(warehouse), version: warehouse.version - 1 };
      return isWritten({ in: warehouses, patch, set, messages: [message] });
    },
    async find(code: string): Promise<WarehouseRecord | undefined> {
      const stored = await store.get(warehouses, [code]);
      return stored && recordOf(stored);
    },
    /** By code; at most `limit`. */
    async list(limit: number): Promise<WarehouseRecord[]> {
      return (await store.find(warehouses.by.code, { eq: [], limit })).items.map(recordOf);
    },
  };
}

export type WarehouseStore = ReturnType<typeof createWarehouseStore>;
