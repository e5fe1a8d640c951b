import type { Collection } from '@parcelway/store/collection';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { expected } from './expected/expected-collection.ts';
import { declaredNumbers } from './expected/number-counts.ts';
import { events, rejections, resolutions } from './reports/report-collections.ts';

export const intakeCollections: readonly Collection[] = [
  events,
  expected,
  declaredNumbers,
  resolutions,
  rejections,
  idempotencyKeys,
  erasedTenants,
];
