import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { numberCounts } from '../expected/adapters/mongo-number-counts.ts';
import { events, forecasts } from '../expected/adapters/mongo-schema.ts';
import { viewForecasts } from '../expected/adapters/mongo-view-schema.ts';
import { rejectionCounts, rejections } from '../reports/adapters/mongo-rejections.ts';
import { resolutions } from '../reports/adapters/mongo-resolution-schema.ts';

/** Every collection of the service. */
export const intakeCollections: readonly MongoCollection<unknown>[] = [
  events,
  forecasts,
  numberCounts,
  resolutions,
  rejections,
  rejectionCounts,
  viewForecasts,
  ...[idempotencyKeys, erasedTenants].map(mongoCollection),
];
