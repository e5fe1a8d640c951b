import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import { idempotencyKeys } from '@parcelway/mongo/mongo-idempotency';
import { erasedTenants } from '@parcelway/mongo/mongo-tenant-data';
import { deliveryDays, usageDays } from '@parcelway/mongo/mongo-usage';
import { endpoints } from '../endpoints/adapters/mongo-endpoint-documents.ts';
import { deliveries } from '../intake/adapters/mongo-delivery-documents.ts';
import { events, sequences } from '../intake/adapters/mongo-event-documents.ts';

export const webhookCollections: readonly MongoCollection<unknown>[] = [
  endpoints,
  events,
  sequences,
  deliveries,
  idempotencyKeys,
  usageDays,
  deliveryDays,
  erasedTenants,
];
