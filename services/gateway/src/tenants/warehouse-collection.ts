import { collection } from '@parcelway/store/collection';
import type { Store, Stored, Write } from '@parcelway/store/store';
import Type from 'typebox';
import type { WarehouseRecord } from './domain/records.ts';
import type { WarehouseStore } from './ports.ts';

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
export function createWarehouseStore(store: Store): WarehouseStore {
  const isWritten = async (write: Write<Warehouse>): Promise<boolean> => {
    const [outcome] = await store.apply([write as Write]);
    return outcome?.kind === 'written';
  };
  return {
    add: ({ warehouse, message }) => isWritten({ in: warehouses, insert: documentOf(warehouse), messages: [message] }),
    change({ warehouse, message }) {
      const { code: _code, ...set } = documentOf(warehouse);
      const patch = { value: documentOf(warehouse), version: warehouse.version - 1 };
      return isWritten({ in: warehouses, patch, set, messages: [message] });
    },
    async find(code) {
      const stored = await store.get(warehouses, [code]);
      return stored && recordOf(stored);
    },
    async list(limit) {
      return (await store.find(warehouses.by.code, { eq: [], limit })).items.map(recordOf);
    },
  };
}
