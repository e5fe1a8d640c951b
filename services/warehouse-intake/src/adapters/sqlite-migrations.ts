import type { SqlScript } from '@parcelway/sqlite/own-names';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { directorySchema } from '../expected/adapters/sqlite-directory-schema.ts';
import { numberCountsSchema } from '../expected/adapters/sqlite-number-counts.ts';
import { rejectionsSchema } from '../reports/adapters/sqlite-rejections.ts';
import { resolutionsSchema } from '../reports/adapters/sqlite-resolution-schema.ts';

/** Tables of the warehouse's view; one entry of the service's migrations. */
const viewSchema = `CREATE TABLE view_forecasts (
    -- With the former warehouse behind it where the row is about a move (domain/seen-by-warehouse movedId) …
    forecast_no TEXT PRIMARY KEY,
    -- NULL until the acceptance is known.
    warehouse_code TEXT,
    tenant_id TEXT NOT NULL,
    -- … and 0 there.
    status INTEGER NOT NULL,
    due_date TEXT,
    -- Place in the order of changes: epoch microseconds, unique.
    stamp INTEGER NOT NULL,
    -- Since when it is kept for a while only, epoch milliseconds; NULL while the parcel is expected or present.
    closed_at INTEGER,
    -- ViewForecast as JSON.
    forecast TEXT NOT NULL
  ) STRICT;
  CREATE INDEX view_by_status ON view_forecasts (warehouse_code, status, stamp);
  CREATE INDEX view_by_tenant ON view_forecasts (warehouse_code, tenant_id, status, stamp);
  CREATE INDEX view_by_due ON view_forecasts (warehouse_code, due_date, status, stamp) WHERE due_date IS NOT NULL;
  CREATE INDEX view_by_tenant_due ON view_forecasts (warehouse_code, tenant_id, due_date, status, stamp) WHERE due_date IS NOT NULL;
  CREATE INDEX view_closed ON view_forecasts (closed_at) WHERE closed_at IS NOT NULL;
  CREATE INDEX view_of_tenant ON view_forecasts (tenant_id, forecast_no);

  -- Apart, because most reads and writes do without them, and they may be megabytes.
  CREATE TABLE view_items (
    forecast_no TEXT PRIMARY KEY REFERENCES view_forecasts (forecast_no) ON DELETE CASCADE,
    items TEXT NOT NULL
  ) STRICT;

  -- What a scan finds forecasts by (domain/scan-keys).
  CREATE TABLE view_keys (
    warehouse_code TEXT NOT NULL,
    key TEXT NOT NULL,
    -- 1 once the parcel has left or the forecast is cancelled.
    gone INTEGER NOT NULL,
    forecast_no TEXT NOT NULL REFERENCES view_forecasts (forecast_no) ON DELETE CASCADE,
    PRIMARY KEY (warehouse_code, key, gone, forecast_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX view_keys_of_forecast ON view_keys (forecast_no);

  -- The last stamp that was given: one row.
  CREATE TABLE view_stamp (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL) STRICT;
  INSERT INTO view_stamp (id, last) VALUES (1, 0)`;

/** What warehouses reported; one entry of the service's migrations. What waits is read in the order in which it occurred, a batch at a time. */
const eventsSchema = `CREATE TABLE events (
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
    -- The forecast that it was published for; NULL while it waits, and once it is dismissed.
    published_to TEXT,
    -- The resolution that ends the waiting.
    resolution INTEGER,
    -- The kind that it is found by once it is applied (domain/parcel-reports); NULL of one that says nothing but the status.
    report_kind TEXT,
    UNIQUE (warehouse_code, event_id)
  ) STRICT;
  CREATE INDEX events_received ON events (received_at);
  CREATE INDEX events_waiting ON events (id) WHERE waiting IS NOT NULL;
  CREATE INDEX events_waiting_named ON events (forecast_no, occurred_at) WHERE waiting IS NOT NULL AND forecast_no IS NOT NULL;
  CREATE INDEX events_waiting_scanned ON events (warehouse_code, scanned_no, occurred_at) WHERE waiting IS NOT NULL AND forecast_no IS NULL;
  -- The lists of what waits for one reason, of all warehouses and of one.
  CREATE INDEX events_waiting_reason ON events (waiting, id) WHERE waiting IS NOT NULL;
  CREATE INDEX events_waiting_reason_at ON events (warehouse_code, waiting, id) WHERE waiting IS NOT NULL;
  CREATE INDEX events_resolved ON events (resolution) WHERE resolution IS NOT NULL;
  CREATE INDEX events_applied ON events (warehouse_code, published_to, report_kind, occurred_at, id)
    WHERE published_to IS NOT NULL AND report_kind IS NOT NULL;
  CREATE INDEX events_of_forecast ON events (published_to) WHERE published_to IS NOT NULL`;

/** Schema of the service's file; append-only from the first release on. */
export const intakeMigrations: readonly SqlScript[] = [
  eventsSchema,
  directorySchema,
  resolutionsSchema,
  rejectionsSchema,
  viewSchema,
  numberCountsSchema,
  sqliteSchema([idempotencyKeys, erasedTenants]),
];
