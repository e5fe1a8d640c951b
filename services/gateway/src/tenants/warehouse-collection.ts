import { collection } from '@parcelway/store/collection';
import type { Store, Stored } from '@parcelway/store/store';
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
  return {
    /** Writes a new warehouse and its event in one durable step. @returns false when the code is taken; nothing changes then */
    async add({ warehouse, message }: WarehouseChange): Promise<boolean> {
      const [outcome] = await store.apply([{ in: warehouses, insert: documentOf(warehouse), messages: [message] }]);
      return outcome?.kind === 'written';
    },
    /** Writes what is decided and its event in one durable step. @returns the warehouse afterwards; undefined when there is none */
    async change(code: string, decide: (known: WarehouseRecord) => WarehouseChange | undefined): Promise<WarehouseRecord | undefined> {
      const { result } = await store.change([{ in: warehouses, keys: [[code]] }], (known) => {
        const stored = known.get(warehouses, [code]);
        const before = stored && recordOf(stored);
        const change = before && decide(before);
        if (stored === undefined || change === undefined) return { writes: [], result: before };
        const { code: _code, ...set } = documentOf(change.warehouse);
        return { writes: [{ in: warehouses, patch: stored, set, messages: [change.message] }], result: change.warehouse };
      });
      return result;
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
