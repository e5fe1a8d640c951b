/**
 * `slot` is 0 while a forecast holds its po_number and its own id once cancelled: one unique index serves as the constraint and for the look-up.
 * `version` counts the writes: who writes says which state the decision was made on. Not to be confused with `content_version`.
 */
const forecasts = `CREATE TABLE forecasts (
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
    content_version INTEGER NOT NULL DEFAULT 1,
    version INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    progress TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX forecasts_po_number ON forecasts (tenant_id, po_number, slot);
  CREATE UNIQUE INDEX forecasts_forecast_no ON forecasts (tenant_id, forecast_no);
  CREATE INDEX forecasts_newest ON forecasts (tenant_id, created_at);
  CREATE INDEX forecasts_status ON forecasts (tenant_id, status, created_at);
  CREATE INDEX forecasts_changed ON forecasts (tenant_id, updated_at)`;

/**
 * What was submitted, and the pieces that the warehouse counted, lie in tables of their own, so that a change of status does not rewrite thousands of
 * items. `corrections`: JSON, oldest first; NULL until the first correction.
 */
const contents = `CREATE TABLE forecast_contents (
    forecast_id INTEGER PRIMARY KEY REFERENCES forecasts (forecast_id),
    content TEXT NOT NULL,
    corrections TEXT
  ) STRICT;
  CREATE TABLE forecast_received_items (
    forecast_id INTEGER PRIMARY KEY REFERENCES forecasts (forecast_id),
    items TEXT NOT NULL
  ) STRICT`;

/** What forecasts are found by, in the order of a list. */
const terms = `CREATE TABLE forecast_terms (
    tenant_id TEXT NOT NULL,
    term TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    forecast_id INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, term, created_at, forecast_id)
  ) STRICT, WITHOUT ROWID`;

/**
 * Applied events and claims live as long as their forecast needs them. `scanned_numbers`: those under which parcels were scanned, of all tenants;
 * who submits such a number is warned.
 */
const numbersAndEvents = `CREATE TABLE tracking_claims (
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
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE scanned_numbers (
    number TEXT NOT NULL,
    forecast_id INTEGER NOT NULL REFERENCES forecasts (forecast_id) ON DELETE CASCADE,
    PRIMARY KEY (number, forecast_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX scanned_numbers_of_forecast ON scanned_numbers (forecast_id)`;

/** Tables of the forecasts and of what they need. */
export const forecastTables: readonly string[] = [forecasts, contents, terms, numbersAndEvents];
