import type { OpenStore } from '@parcelway/platform/open-store';
import type { Collection } from '@parcelway/store/collection';
import { createIdempotencyStore, idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore, usageDays } from '@parcelway/store/shared/usage-days';
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

/** The gateway's stores. @param opened with {@link gatewayCollections} */
export function createGatewayStores({ store, check, tenantData, leftovers }: OpenStore) {
  return {
    tenants: createTenantStore(store),
    retentions: createTenantRetentionStore(store),
    warehouses: createWarehouseStore(store),
    keys: new KeyStore(store),
    erasures: createErasureStore(store),
    activity: { audit: createAuditStore(store), failedCalls: createFailedCallStore(store), usage: createUsageStore(store) },
    operators: createOperatorStore(store),
    /** What the gateway stores about tenants. */
    tenantData: [...tenantData().kinds, ...leftovers],
    /** With {@link gatewayCollections}. */
    documents: store,
    idempotency: createIdempotencyStore(store),
    check,
  };
}

/** All that the gateway keeps, with its outbox and its idempotency keys. */
export type GatewayStores = ReturnType<typeof createGatewayStores>;
