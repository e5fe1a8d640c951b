import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteErasedTenants } from '@parcelway/sqlite/tenant-data';
import { directorySchema } from '../matching/adapters/sqlite-directory-schema.ts';
import { eventsSchema } from '../matching/adapters/sqlite-events-schema.ts';
import { numberCountsSchema } from '../matching/adapters/sqlite-number-counts.ts';
import { resolutionsSchema } from '../matching/adapters/sqlite-resolution-schema.ts';
import { rejectionsSchema } from '../reports/adapters/sqlite-rejections.ts';
import { viewSchema } from '../view/adapters/sqlite-view-schema.ts';

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
