import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteErasedTenants } from '@parcelway/sqlite/tenant-data';
import { tenantIndexes } from '../erasure/adapters/sqlite-schema.ts';
import { numberCountsSchema } from '../matching/adapters/sqlite-number-counts.ts';
import { claimMigration, reportMigration } from '../matching/adapters/sqlite-report-schema.ts';
import { resolutionMigration } from '../matching/adapters/sqlite-resolution-schema.ts';
import { viewSchema } from '../view/adapters/sqlite-view-schema.ts';

/** Schema of the service's file. Append-only. */
export const intakeMigrations = [
  `CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    warehouse_code TEXT NOT NULL,
    event_id TEXT NOT NULL,
    -- The numbers by which it is matched: as named, and as scanned (normalised).
    forecast_no TEXT,
    scanned_no TEXT,
    occurred_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    -- IntakeEvent as JSON.
    event TEXT NOT NULL,
    -- Why it has no forecast yet; NULL once it is published.
    waiting TEXT,
    UNIQUE (warehouse_code, event_id)
  ) STRICT;
  CREATE INDEX events_waiting ON events (id) WHERE waiting IS NOT NULL;
  CREATE INDEX events_waiting_named ON events (forecast_no) WHERE waiting IS NOT NULL AND forecast_no IS NOT NULL;
  CREATE INDEX events_waiting_scanned ON events (warehouse_code, scanned_no) WHERE waiting IS NOT NULL AND forecast_no IS NULL;
  CREATE INDEX events_received ON events (received_at);

  CREATE TABLE forecasts (
    forecast_no TEXT PRIMARY KEY,
    -- NULL from here to forecast_type when the cancellation was seen before the acceptance.
    tenant_id TEXT,
    environment TEXT,
    warehouse_code TEXT,
    forecast_type INTEGER,
    cancelled_at INTEGER,
    -- When an event ended the parcel's stay in the warehouse.
    finished_at INTEGER
  ) STRICT;
  CREATE INDEX forecasts_closed ON forecasts (coalesce(cancelled_at, finished_at)) WHERE coalesce(cancelled_at, finished_at) IS NOT NULL;

  -- Numbers that forecasts declare. A cancelled forecast has none.
  CREATE TABLE numbers (
    warehouse_code TEXT NOT NULL,
    scanned_no TEXT NOT NULL,
    forecast_no TEXT NOT NULL REFERENCES forecasts (forecast_no) ON DELETE CASCADE,
    -- 1 once an event under this number went to the forecast.
    claimed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (warehouse_code, scanned_no, forecast_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX numbers_of_forecast ON numbers (forecast_no);`,
  SqliteOutbox.schema,
  // What waits for a forecast or a number is read in the order in which it occurred, a batch at a time.
  `DROP INDEX events_waiting_named;
  DROP INDEX events_waiting_scanned;
  CREATE INDEX events_waiting_named ON events (forecast_no, occurred_at) WHERE waiting IS NOT NULL AND forecast_no IS NOT NULL;
  CREATE INDEX events_waiting_scanned ON events (warehouse_code, scanned_no, occurred_at) WHERE waiting IS NOT NULL AND forecast_no IS NULL`,
  // The list of what waits for one reason, and the count of each.
  'CREATE INDEX events_waiting_reason ON events (waiting, id) WHERE waiting IS NOT NULL',
  resolutionMigration,
  SqliteIdempotencyStore.schema,
  viewSchema,
  // The version of the forecast that the directory follows.
  'ALTER TABLE forecasts ADD COLUMN version INTEGER NOT NULL DEFAULT 1',
  reportMigration,
  claimMigration,
  SqliteErasedTenants.schema,
  tenantIndexes,
  numberCountsSchema,
];
