import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { deliveryDays, usageDays } from '@parcelway/store/shared/usage-days';
import { endpoints } from '../endpoints/adapters/mongo-endpoint-documents.ts';
import { deliveries } from '../intake/adapters/mongo-delivery-documents.ts';
import { events, sequences } from '../intake/adapters/mongo-event-documents.ts';

export const webhookCollections: readonly MongoCollection<unknown>[] = [
  endpoints,
  events,
  sequences,
  deliveries,
  ...[idempotencyKeys, usageDays, deliveryDays, erasedTenants].map(mongoCollection),
];
