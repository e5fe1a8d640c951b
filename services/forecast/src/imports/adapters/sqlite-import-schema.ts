/**
 * Tables of imports; one entry of the service's migrations.
 *
 * `key_id`: who began the import; `attempt`: how often processes have taken it. `finished_at` is NULL until an import has finished: few are.
 * A row is pending while its `state` is 0; then it is in the index by po_number, too.
 */
export const importTables = `CREATE TABLE imports (
    tenant_id TEXT NOT NULL,
    import_id TEXT NOT NULL,
    file_name TEXT NOT NULL,
    file_key TEXT NOT NULL,
    kind TEXT NOT NULL,
    mapping TEXT NOT NULL,
    validate_only INTEGER NOT NULL,
    seed TEXT,
    state TEXT NOT NULL,
    phase TEXT NOT NULL,
    total INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    forecasts_accepted INTEGER NOT NULL,
    forecasts_failed INTEGER NOT NULL,
    columns TEXT NOT NULL,
    warnings TEXT NOT NULL,
    error TEXT,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    key_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, import_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX imports_unfinished ON imports (tenant_id, import_id) WHERE finished_at IS NULL;
  CREATE UNIQUE INDEX imports_seed ON imports (tenant_id, seed) WHERE seed IS NOT NULL;
  CREATE INDEX imports_shown ON imports (tenant_id, import_id) WHERE state <> 'receiving';
  CREATE TABLE import_rows (
    tenant_id TEXT NOT NULL,
    import_id TEXT NOT NULL,
    row_no INTEGER NOT NULL,
    po_number TEXT NOT NULL,
    cells TEXT NOT NULL,
    state INTEGER NOT NULL,
    forecast_no TEXT,
    findings TEXT,
    PRIMARY KEY (tenant_id, import_id, row_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX import_rows_state ON import_rows (tenant_id, import_id, state, row_no);
  CREATE INDEX import_rows_pending ON import_rows (tenant_id, import_id, po_number, row_no) WHERE state = 0`;

/** What has stopped imports lately, with an empty `key_id` when it was the tenant as a whole; one entry of the service's migrations. */
export const importStopsTable = `CREATE TABLE import_stops (
    tenant_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    stopped_at INTEGER NOT NULL,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, key_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX import_stops_noted ON import_stops (noted_at)`;
