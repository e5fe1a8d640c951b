import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteErasedTenants } from '@parcelway/sqlite/tenant-data';
import { directorySchema } from '../expected/adapters/sqlite-directory-schema.ts';
import { numberCountsSchema } from '../expected/adapters/sqlite-number-counts.ts';
import { viewSchema } from '../expected/adapters/sqlite-view-schema.ts';
import { eventsSchema } from '../reports/adapters/sqlite-events-schema.ts';
import { rejectionsSchema } from '../reports/adapters/sqlite-rejections.ts';
import { resolutionsSchema } from '../reports/adapters/sqlite-resolution-schema.ts';

/** Schema of the service's file; append-only from the first release on. */
export const intakeMigrations: readonly string[] = [
  eventsSchema,
  directorySchema,
  resolutionsSchema,
  rejectionsSchema,
  viewSchema,
  numberCountsSchema,
  SqliteOutbox.schema,
  SqliteIdempotencyStore.schema,
  SqliteErasedTenants.schema,
];
