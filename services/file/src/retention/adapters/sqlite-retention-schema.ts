/** One entry of the migrations: which photos were reported of which forecasts, and which forecasts were deleted a moment ago. */
export const photoTables = `CREATE TABLE photo_uses (
    token TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    PRIMARY KEY (token, tenant_id, forecast_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX photo_uses_of_forecast ON photo_uses (tenant_id, forecast_no);
  CREATE TABLE deleted_forecasts (
    tenant_id TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, forecast_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deleted_forecasts_by_time ON deleted_forecasts (deleted_at)`;

/** One entry of the migrations: the PDFs that a forecast uses. */
export const usesOfForecast = 'CREATE INDEX file_uses_of_forecast ON file_uses (tenant_id, forecast_no)';

/**
 * One entry of the migrations of the service: which forecasts use which PDFs, since when that is known, and since when a PDF is unused.
 */
export const retentionTables = `CREATE TABLE file_uses (
    tenant_id TEXT NOT NULL,
    token TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    PRIMARY KEY (tenant_id, token, forecast_no)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE file_uses_since (one INTEGER PRIMARY KEY CHECK (one = 1), uploaded_at INTEGER NOT NULL) STRICT;
  ALTER TABLE files ADD COLUMN unused_since INTEGER;
  CREATE INDEX files_unused ON files (unused_since) WHERE unused_since IS NOT NULL;`;
