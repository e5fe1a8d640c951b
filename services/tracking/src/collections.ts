import type { Collection } from '@parcelway/store/collection';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { workLeases } from '@parcelway/store/shared/work-leases';
import { connectionCollections } from './accounts/connection-collections.ts';
import { parcels, simulatedParcels } from './watch/parcels-collection.ts';

/** All that the tracking service keeps. */
export const trackingCollections: readonly Collection[] = [
  parcels,
  simulatedParcels,
  ...connectionCollections,
  idempotencyKeys,
  erasedTenants,
  workLeases,
];
