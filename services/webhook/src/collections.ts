import type { Collection } from '@parcelway/store/collection';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { deliveryDays, usageDays } from '@parcelway/store/shared/usage-days';
import { endpoints } from './endpoints/endpoints-collection.ts';
import { deliveries } from './intake/deliveries-collection.ts';
import { events, sequences } from './intake/event-collections.ts';

/** All that the webhook service keeps. Nothing is sent to a tenant's endpoints once they are erased. */
export const webhookCollections: readonly Collection[] = [
  endpoints,
  deliveries,
  events,
  sequences,
  idempotencyKeys,
  usageDays,
  deliveryDays,
  erasedTenants,
];
