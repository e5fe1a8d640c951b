import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteErasedTenants } from '@parcelway/sqlite/tenant-data';
import { SqliteUsage } from '@parcelway/sqlite/usage';
import { SqliteWorkLease } from '@parcelway/sqlite/work-lease';
import { importStopsTable, importTables } from '../imports/adapters/sqlite-import-schema.ts';
import { retentionTables } from '../retention/adapters/sqlite-retention-schema.ts';
import { forecastTables } from '../store/adapters/sqlite-schema.ts';

/** Schema of the service's file; append-only from the first release on. */
export const forecastMigrations: readonly string[] = [
  ...forecastTables,
  retentionTables,
  importTables,
  importStopsTable,
  SqliteOutbox.schema,
  SqliteIdempotencyStore.schema,
  SqliteErasedTenants.schema,
  SqliteWorkLease.schema,
  SqliteUsage.schema(),
];
