/**
 * One entry of the migrations of the service: what tenants see of their files, which of them a forecast names now, and their own images.
 *
 * A use stays until the end of its forecast; it is current while the forecast names the file. `version` is the version of the forecast that was noted
 * last, the same in all uses of a forecast: of two events the later one holds. A forecast of which only that is to be known has a use of the token ''.
 * Uses that were noted before this migration are current, without the rest. A file that was deleted is hidden, and its SHA-256 ends in its token, so that
 * the same content can be uploaded again. Of the uses of photos, a tenant's own images have a `revision`; the one of the token '' says which was noted last.
 */
export const ownFileTables = `ALTER TABLE files ADD COLUMN is_used INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE files ADD COLUMN hidden_at INTEGER;
  UPDATE files SET is_used = 1 WHERE EXISTS (
    SELECT 1 FROM file_uses AS used WHERE used.tenant_id = files.tenant_id AND used.token = files.token);
  CREATE INDEX files_shown ON files (tenant_id, uploaded_at, token) WHERE hidden_at IS NULL;
  CREATE INDEX files_shown_by_use ON files (tenant_id, is_used, uploaded_at, token) WHERE hidden_at IS NULL;
  ALTER TABLE file_uses ADD COLUMN po_number TEXT;
  ALTER TABLE file_uses ADD COLUMN fields TEXT NOT NULL DEFAULT '';
  ALTER TABLE file_uses ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE file_uses ADD COLUMN is_current INTEGER NOT NULL DEFAULT 1;
  CREATE INDEX file_uses_current ON file_uses (tenant_id, token, forecast_no) WHERE is_current = 1;
  ALTER TABLE photos ADD COLUMN tenant_id TEXT;
  ALTER TABLE photos ADD COLUMN unused_since INTEGER;
  CREATE INDEX photos_of_tenant ON photos (tenant_id, token) WHERE tenant_id IS NOT NULL;
  CREATE INDEX photos_unused ON photos (unused_since) WHERE unused_since IS NOT NULL;
  ALTER TABLE photo_uses ADD COLUMN revision INTEGER;`;
