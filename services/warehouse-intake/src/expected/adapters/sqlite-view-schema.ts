/** Tables of the warehouse's view; one entry of the service's migrations. */
export const viewSchema = `CREATE TABLE view_forecasts (
    -- With the former warehouse behind it where the row is about a move (domain/view-forecast movedId) …
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
