import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { Collection, TenantCopy } from '@parcelway/store/collection';
import { tenantKind } from '@parcelway/store/shared/tenant-kind';
import type { Store } from '@parcelway/store/store';

/** Kinds of a tenant's data in the place of what a declaration says, by the name of the collection: for what leads outside of the store. */
export type OwnKinds = Readonly<Record<string, readonly TenantDataKind[]>>;

/**
 * What collections keep of a tenant, in their order: each is copied and erased as it is declared.
 * @throws Error when a collection has a tenant, and no list by it
 */
export function tenantKinds(store: Store, collections: readonly Collection[], own: OwnKinds = {}): readonly TenantDataKind[] {
  return collections.filter(({ tenant }) => typeof tenant === 'string').flatMap((one) => own[one.name] ?? [kindOf(store, one)]);
}

function kindOf(store: Store, { name, owned, copy }: Collection): TenantDataKind {
  if (owned === undefined) throw new Error(`${name} has no list that begins with its tenant and has all of its documents`);
  return tenantKind(store, typeof copy === 'string' ? { by: owned, record: null } : { ...(copy as TenantCopy<object>), by: owned });
}
