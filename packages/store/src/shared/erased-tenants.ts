import type { ErasedTenantStore } from '@parcelway/kernel/tenant-data';
import Type from 'typebox';
import { collection } from '../collection.ts';
import type { Store } from '../store.ts';

/** Tenants that were erased. */
export const erasedTenants = collection(
  'erased_tenants',
  Type.Object({ tenantId: Type.String(), erasedAt: Type.Integer() }, { additionalProperties: false }),
  {
    describe: 'Ids of erased tenants, so that late facts of theirs are not kept',
    key: ['tenantId'],
    lists: { erased: ['erasedAt'] },
    tenant: { none: 'it outlives the tenant' },
    shard: { unsharded: 'one small document for each erased tenant' },
    ends: 'never',
  },
);

/** A tenant may be remembered so much later than another with a later time: clocks differ, and a write takes its time. */
const SETTLED_MS = 60_000;

/** Remembers erased tenants. @param store with {@link erasedTenants} */
export function createErasedTenants(store: Store): ErasedTenantStore {
  return {
    async remember(tenantId, at) {
      await store.apply([{ in: erasedTenants, insert: { tenantId, erasedAt: at } }]);
    },
    async list(after) {
      const from = Math.max(0, Number(after ?? 0) - SETTLED_MS);
      const { items } = await store.find(erasedTenants.by.erased, { eq: [], from, limit: 1000 });
      return items.map(({ value: { tenantId, erasedAt } }) => ({ tenantId, cursor: String(erasedAt) }));
    },
  };
}
