import type { Collection } from '@parcelway/store/collection';
import { numberSeries } from '@parcelway/store/shared/numbers';
import { sharedCollections } from '@parcelway/store/shared/shared-collections';
import { importCollections } from './imports/import-collections.ts';
import { expiryNotes } from './retention/forecast-expiry.ts';
import { tenantRetentions } from './retention/tenant-retention-store.ts';
import { forecasts } from './store/forecast-collection.ts';
import { warehouses } from './store/warehouse-store.ts';

/** All that the forecast service keeps. */
export const forecastCollections: readonly Collection[] = [
  forecasts,
  expiryNotes,
  numberSeries,
  warehouses,
  tenantRetentions,
  ...importCollections,
  ...sharedCollections,
];
