import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { tenantKinds } from '@parcelway/platform/policies/tenant-kinds';
import type { Collection } from '@parcelway/store/collection';
import { createIdempotencyStore, idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore, usageDays } from '@parcelway/store/shared/usage-days';
import type { Store } from '@parcelway/store/store';
import { auditEntries, createAuditStore } from '../activity/audit-collection.ts';
import { createFailedCallStore, failedCalls } from '../activity/failed-call-collection.ts';
import { KeyStore, keys } from '../keys/key-collection.ts';
import { createOperatorStore, operators } from '../operators/operator-collection.ts';
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

/** What of a database is no collection. */
export interface DatabaseParts {
  /** Absent where messages are written to the log itself. */
  readonly outbox?: OutboxSource;
  /** Resolves when the store responds. */
  check(): Promise<void>;
  /** Further kinds of a tenant's data: what deletions leave behind. */
  readonly kinds?: readonly TenantDataKind[];
}

/** The gateway's stores. @param store with {@link gatewayCollections} */
export function createGatewayStores(store: Store, { outbox, check, kinds = [] }: DatabaseParts) {
  return {
    tenants: createTenantStore(store),
    retentions: createTenantRetentionStore(store),
    warehouses: createWarehouseStore(store),
    keys: new KeyStore(store),
    erasures: createErasureStore(store),
    activity: { audit: createAuditStore(store), failedCalls: createFailedCallStore(store), usage: createUsageStore(store) },
    operators: createOperatorStore(store),
    /** What the gateway stores about tenants. */
    tenantData: [...tenantKinds(store, gatewayCollections), ...kinds],
    /** With {@link gatewayCollections}. */
    documents: store,
    idempotency: createIdempotencyStore(store),
    ...(outbox && { outbox }),
    check,
  };
}

/** All that the gateway keeps, with its outbox and its idempotency keys. */
export type GatewayStores = ReturnType<typeof createGatewayStores>;
