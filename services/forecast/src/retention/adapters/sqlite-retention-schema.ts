/**
 * One entry of the migrations of the service: what has ended, in the order of its end, and up to where the files of their
 * forecasts have expired. Status 6 and 7: completed and cancelled. `skipped`: JSON array with the numbers of forecasts before the place whose files
 * could not be ended.
 */
export const retentionTables = `CREATE INDEX forecasts_ended ON forecasts (tenant_id, updated_at) WHERE status >= 6;
  CREATE TABLE expired_files (
    tenant_id TEXT PRIMARY KEY,
    ended_at INTEGER NOT NULL,
    forecast_id INTEGER NOT NULL,
    skipped TEXT NOT NULL DEFAULT '[]'
  ) STRICT, WITHOUT ROWID`;
