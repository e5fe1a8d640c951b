import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { tenantKinds } from '@parcelway/platform/policies/tenant-kinds';
import type { Collection } from '@parcelway/store/collection';
import { createIdempotencyStore, idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore, usageDays } from '@parcelway/store/shared/usage-days';
import type { Store } from '@parcelway/store/store';
import { auditEntries, createAuditStore } from '../activity/audit-collection.ts';
import { createFailedCallStore, failedCalls } from '../activity/failed-call-collection.ts';
import type { ActivityStores } from '../activity/ports.ts';
import { keys, StoredKeys } from '../keys/key-collection.ts';
import { createOperatorStore, operators } from '../operators/operator-collection.ts';
import type { GatewayStores } from '../operators/ports.ts';
import { createErasureStore, erasures } from '../tenants/erasure-collection.ts';
import { createTenantRetentionStore, createTenantStore, tenants } from '../tenants/tenant-collection.ts';
import { createWarehouseStore, warehouses } from '../tenants/warehouse-collection.ts';

/** All that the gateway keeps. The account of a tenant comes last: it leads to the rest. */
export const gatewayCollections: readonly Collection[] = [
  warehouses,
  keys,
  erasures,
  operators,
  auditEntries,
  failedCalls,
  idempotencyKeys,
  usageDays,
  tenants,
];

/** The gateway's stores with the outbox and the idempotency keys that belong to them. */
export interface StoresWithOutbox extends GatewayStores {
  readonly activity: ActivityStores;
  readonly idempotency: IdempotencyStore;
  /** Absent where messages are written to the log itself. */
  readonly outbox?: OutboxSource;
  /** With {@link gatewayCollections}. */
  readonly documents: Store;
}

/** What of a database is no collection. */
export interface DatabaseParts extends Pick<StoresWithOutbox, 'outbox' | 'check'> {
  /** Further kinds of a tenant's data: what deletions leave behind. */
  readonly kinds?: readonly TenantDataKind[];
}

/** The gateway's stores. @param store with {@link gatewayCollections} */
export function createGatewayStores(store: Store, { outbox, check, kinds = [] }: DatabaseParts): StoresWithOutbox {
  return {
    tenants: createTenantStore(store),
    retentions: createTenantRetentionStore(store),
    warehouses: createWarehouseStore(store),
    keys: new StoredKeys(store),
    erasures: createErasureStore(store),
    activity: { audit: createAuditStore(store), failedCalls: createFailedCallStore(store), usage: createUsageStore(store) },
    operators: createOperatorStore(store),
    tenantData: [...tenantKinds(store, gatewayCollections), ...kinds],
    documents: store,
    idempotency: createIdempotencyStore(store),
    ...(outbox && { outbox }),
    check,
  };
}
