import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { usageDays } from '@parcelway/store/shared/usage-days';
import { workLeases } from '@parcelway/store/shared/work-leases';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';

/**
 * PDFs of tenants. A file that was deleted is hidden, and its SHA-256 ends in its token, so that the same content can be uploaded again.
 * The indexes of tokens are the only ones that do not begin with the owner: a token is an unguessable capability that opens a content for whoever knows it.
 * `findings`: JSON of what an inspection found; null of what was not inspected.
 */
const files = `CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL,
    md5 TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    storage_key TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    uploaded_at INTEGER NOT NULL,
    findings TEXT,
    is_used INTEGER NOT NULL DEFAULT 0,
    hidden_at INTEGER,
    unused_since INTEGER,
    UNIQUE (tenant_id, md5, sha256)
  ) STRICT;
  CREATE INDEX files_unused ON files (unused_since) WHERE unused_since IS NOT NULL;
  CREATE INDEX files_shown ON files (tenant_id, uploaded_at, token) WHERE hidden_at IS NULL;
  CREATE INDEX files_shown_by_use ON files (tenant_id, is_used, uploaded_at, token) WHERE hidden_at IS NULL;
  CREATE INDEX files_stored ON files (tenant_id, id, size, hidden_at) WHERE hidden_at IS NULL;`;

/** Photos of warehouses, and tenants' own images: these have a `tenant_id`. */
const photos = `CREATE TABLE photos (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    warehouse_code TEXT NOT NULL,
    tenant_id TEXT,
    storage_key TEXT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    media_type TEXT NOT NULL,
    md5 TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    size INTEGER NOT NULL,
    uploaded_at INTEGER NOT NULL,
    unused_since INTEGER
  ) STRICT;
  CREATE INDEX photos_of_tenant ON photos (tenant_id, token) WHERE tenant_id IS NOT NULL;
  CREATE INDEX photos_unused ON photos (unused_since) WHERE unused_since IS NOT NULL;
  CREATE INDEX photos_stored ON photos (tenant_id, id, size) WHERE tenant_id IS NOT NULL;`;

const pendingUploads = `CREATE TABLE pending_uploads (
    owner_id TEXT NOT NULL,
    storage_key TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    abandoned INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (owner_id, storage_key)
  ) STRICT, WITHOUT ROWID;`;

/** Where the documents of a version lie in their content; `copies_end` is NULL when there are no copies. */
const documents = `CREATE TABLE documents (
    tenant_id TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    version INTEGER NOT NULL,
    storage_key TEXT NOT NULL,
    label_end INTEGER NOT NULL,
    copies_end INTEGER,
    slip_start INTEGER NOT NULL,
    size INTEGER NOT NULL,
    generated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, forecast_no, version)
  ) STRICT;`;

/**
 * Which forecasts use which PDFs. A use stays until the end of its forecast; it is current while the forecast names the file. `version` is the version of
 * the forecast that was noted last, the same in all uses of a forecast: of two events the later one holds. A forecast of which only that is to be known has
 * a use of the token ''.
 */
const fileUses = `CREATE TABLE file_uses (
    tenant_id TEXT NOT NULL,
    token TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    po_number TEXT,
    fields TEXT NOT NULL DEFAULT '',
    version INTEGER NOT NULL,
    is_current INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, token, forecast_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX file_uses_of_forecast ON file_uses (tenant_id, forecast_no);
  CREATE INDEX file_uses_current ON file_uses (tenant_id, token, forecast_no) WHERE is_current = 1;`;

/**
 * Which photos which forecasts have. A tenant's own images have a `revision`; the use of the token '' says which was noted last.
 */
const photoUses = `CREATE TABLE photo_uses (
    token TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    revision INTEGER,
    PRIMARY KEY (token, tenant_id, forecast_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX photo_uses_of_forecast ON photo_uses (tenant_id, forecast_no);`;

/** Forecasts that were deleted a moment ago. */
const deletedForecasts = `CREATE TABLE deleted_forecasts (
    tenant_id TEXT NOT NULL,
    forecast_no TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, forecast_no)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deleted_forecasts_by_time ON deleted_forecasts (deleted_at)`;

/** Schema of the file service's SQLite file; append-only from the first release on. */
export const fileMigrations: readonly string[] = [
  files,
  photos,
  pendingUploads,
  documents,
  fileUses,
  photoUses,
  deletedForecasts,
  sqliteSchema([idempotencyKeys, erasedTenants, workLeases, usageDays]),
];
