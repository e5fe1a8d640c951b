import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteErasedTenants } from '@parcelway/sqlite/tenant-data';
import { SqliteUsage } from '@parcelway/sqlite/usage';
import { SqliteWorkLease } from '@parcelway/sqlite/work-lease';
import { importHolders, importStopsTable, importTables } from '../imports/adapters/sqlite-import-schema.ts';
import { retentionTables, skippedFiles } from '../retention/adapters/sqlite-retention-schema.ts';

/**
 * Migrations of the service's file; append only.
 *
 * `slot` is 0 while a forecast holds its po_number and its own id once cancelled: one unique index serves as the
 * constraint and for the look-up. What was submitted lies in a table of its own, so that a change of status does not
 * rewrite thousands of items. Applied events and claims live as long as their forecast needs them.
 */
export const forecastMigrations: readonly string[] = [
  `CREATE TABLE forecasts (
    forecast_id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    po_number TEXT NOT NULL,
    slot INTEGER NOT NULL,
    forecast_type INTEGER NOT NULL,
    warehouse_code TEXT NOT NULL,
    due_date TEXT,
    item_count INTEGER NOT NULL,
    status INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    progress TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX forecasts_po_number ON forecasts (tenant_id, po_number, slot);
  CREATE UNIQUE INDEX forecasts_forecast_no ON forecasts (tenant_id, forecast_no);
  CREATE INDEX forecasts_newest ON forecasts (tenant_id, created_at);
  CREATE INDEX forecasts_status ON forecasts (tenant_id, status, created_at);
  CREATE TABLE forecast_contents (
    forecast_id INTEGER PRIMARY KEY REFERENCES forecasts (forecast_id),
    content TEXT NOT NULL
  ) STRICT;
  CREATE TABLE tracking_claims (
    tenant_id TEXT NOT NULL,
    tracking_number TEXT NOT NULL,
    forecast_id INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, tracking_number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE applied_events (
    tenant_id TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, forecast_no, event_id)
  ) STRICT, WITHOUT ROWID`,
  SqliteOutbox.schema,

  // Ids up to this one were shown as they are, and stay so.
  `CREATE TABLE last_plain_id (one INTEGER PRIMARY KEY CHECK (one = 1), forecast_id INTEGER NOT NULL) STRICT;
   INSERT INTO last_plain_id SELECT 1, coalesce(max(forecast_id), 0) FROM forecasts;`,

  SqliteIdempotencyStore.schema,

  'ALTER TABLE forecasts ADD COLUMN content_version INTEGER NOT NULL DEFAULT 1',

  // JSON of the pieces that the warehouse counted. In a table of its own for the same reason as the contents.
  `CREATE TABLE forecast_received_items (
    forecast_id INTEGER PRIMARY KEY REFERENCES forecasts (forecast_id),
    items TEXT NOT NULL
  ) STRICT;`,

  // JSON, oldest first; NULL until the first correction.
  'ALTER TABLE forecast_contents ADD COLUMN corrections TEXT',

  // Counts the writes: who writes says which state the decision was made on. Not to be confused with content_version.
  'ALTER TABLE forecasts ADD COLUMN version INTEGER NOT NULL DEFAULT 1',

  // The warehouses that the gateway has published.
  `CREATE TABLE warehouses (
    code TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    is_open INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`,

  SqliteErasedTenants.schema,
  retentionTables,
  skippedFiles,
  SqliteWorkLease.schema,

  // What forecasts are found by, in the order of a list; and their last changes.
  `CREATE TABLE forecast_terms (
    tenant_id TEXT NOT NULL,
    term TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    forecast_id INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, term, created_at, forecast_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX forecasts_changed ON forecasts (tenant_id, updated_at);`,
  importTables,
  SqliteUsage.schema(),
  importHolders,
  importStopsTable,
  // Numbers under which parcels were scanned, of all tenants: who submits such a number is warned.
  `CREATE TABLE scanned_numbers (
    number TEXT NOT NULL,
    forecast_id INTEGER NOT NULL REFERENCES forecasts (forecast_id) ON DELETE CASCADE,
    PRIMARY KEY (number, forecast_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX scanned_numbers_of_forecast ON scanned_numbers (forecast_id);`,
];
