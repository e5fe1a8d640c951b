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
