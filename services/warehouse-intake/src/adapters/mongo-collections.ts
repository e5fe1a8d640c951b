import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import { idempotencyKeys } from '@parcelway/mongo/mongo-idempotency';
import { erasedTenants } from '@parcelway/mongo/mongo-tenant-data';
import { numberCounts } from '../matching/adapters/mongo-number-counts.ts';
import { resolutions } from '../matching/adapters/mongo-resolution-schema.ts';
import { events, forecasts } from '../matching/adapters/mongo-schema.ts';
import { rejectionCounts, rejections } from '../reports/adapters/mongo-rejections.ts';
import { viewForecasts } from '../view/adapters/mongo-view-schema.ts';

/** Every collection of the service. */
export const intakeCollections: readonly MongoCollection<unknown>[] = [
  events,
  forecasts,
  numberCounts,
  resolutions,
  rejections,
  rejectionCounts,
  idempotencyKeys,
  viewForecasts,
  erasedTenants,
];
