import type { OpenStore } from '@parcelway/platform/open-store';
import type { Collection } from '@parcelway/store/collection';
import { createIdempotencyStore, idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore, usageDays } from '@parcelway/store/shared/usage-days';
import { auditEntries, createAuditStore } from '../activity/audit-collection.ts';
import { createFailedCallStore, failedCalls } from '../activity/failed-call-collection.ts';
import { KeyStore, keys } from '../keys/key-collection.ts';
import { operators } from '../operators/operators.ts';
import { erasures } from '../tenants/erasure-collection.ts';
import { tenants } from '../tenants/tenants.ts';
import { warehouses } from '../tenants/warehouses.ts';

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

/** The store of the gateway, and what keeps its parts. @param opened with {@link gatewayCollections} */
export function createGatewayStores({ store, check, tenantData, leftovers }: OpenStore) {
  return {
    /** With {@link gatewayCollections}. */
    store,
    keys: new KeyStore(store),
    activity: { audit: createAuditStore(store), failedCalls: createFailedCallStore(store), usage: createUsageStore(store) },
    /** What the gateway stores about tenants. */
    tenantData: [...tenantData().kinds, ...leftovers],
    idempotency: createIdempotencyStore(store),
    check,
  };
}

/** All that the gateway keeps, with its outbox and its idempotency keys. */
export type GatewayStores = ReturnType<typeof createGatewayStores>;
