import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteErasedTenants } from '@parcelway/sqlite/tenant-data';
import { SqliteUsage } from '@parcelway/sqlite/usage';
import { SqliteWorkLease } from '@parcelway/sqlite/work-lease';
import { ownFileTables } from '../own-files/adapters/sqlite-own-files-schema.ts';
import { photoTables, retentionTables, usesOfForecast } from '../retention/adapters/sqlite-retention-schema.ts';
import { storageIndexes } from '../storage/adapters/sqlite-storage.ts';

/**
 * Schema of the file service's SQLite file; append-only. The indexes of tokens are the only ones that do not begin with
 * the owner: a token is an unguessable capability that opens a content for whoever knows it.
 */
export const fileMigrations: readonly string[] = [
  `CREATE TABLE files (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     tenant_id TEXT NOT NULL,
     md5 TEXT NOT NULL,
     storage_key TEXT NOT NULL,
     token TEXT NOT NULL UNIQUE,
     name TEXT NOT NULL,
     size INTEGER NOT NULL,
     uploaded_at INTEGER NOT NULL,
     UNIQUE (tenant_id, md5)
   ) STRICT;
   CREATE TABLE photos (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     warehouse_code TEXT NOT NULL,
     storage_key TEXT NOT NULL,
     token TEXT NOT NULL UNIQUE,
     media_type TEXT NOT NULL,
     md5 TEXT NOT NULL,
     size INTEGER NOT NULL,
     uploaded_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE pending_uploads (
     owner_id TEXT NOT NULL,
     storage_key TEXT NOT NULL,
     started_at INTEGER NOT NULL,
     abandoned INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (owner_id, storage_key)
   ) STRICT, WITHOUT ROWID;`,

  // Numbers up to these were shown as they are, and stay so.
  `CREATE TABLE last_plain_numbers (one INTEGER PRIMARY KEY CHECK (one = 1), file INTEGER NOT NULL, photo INTEGER NOT NULL) STRICT;
   INSERT INTO last_plain_numbers SELECT 1, (SELECT coalesce(max(id), 0) FROM files), (SELECT coalesce(max(id), 0) FROM photos);`,
  // The identity of a content: SQLite changes a constraint by writing the table again. Of contents recorded before, the SHA-256 is not known:
  // the same content is stored once more, and found from then on.
  `CREATE TABLE files_by_both_digests (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     tenant_id TEXT NOT NULL,
     md5 TEXT NOT NULL,
     sha256 TEXT NOT NULL,
     storage_key TEXT NOT NULL,
     token TEXT NOT NULL UNIQUE,
     name TEXT NOT NULL,
     size INTEGER NOT NULL,
     uploaded_at INTEGER NOT NULL,
     UNIQUE (tenant_id, md5, sha256)
   ) STRICT;
   INSERT INTO files_by_both_digests SELECT id, tenant_id, md5, '', storage_key, token, name, size, uploaded_at FROM files;
   DROP TABLE files;
   ALTER TABLE files_by_both_digests RENAME TO files;
   ALTER TABLE photos ADD COLUMN sha256 TEXT NOT NULL DEFAULT '';`,

  SqliteIdempotencyStore.schema,

  // The positions of the three documents in one content; `copies_end` is NULL when there are no copies.
  `CREATE TABLE documents (
     tenant_id TEXT NOT NULL,
     forecast_no TEXT NOT NULL,
     version INTEGER NOT NULL,
     storage_key TEXT NOT NULL,
     label_token TEXT NOT NULL UNIQUE,
     slip_token TEXT NOT NULL UNIQUE,
     label_end INTEGER NOT NULL,
     copies_end INTEGER,
     slip_start INTEGER NOT NULL,
     size INTEGER NOT NULL,
     generated_at INTEGER NOT NULL,
     superseded_by INTEGER,
     PRIMARY KEY (tenant_id, forecast_no, version)
   ) STRICT;`,
  SqliteOutbox.schema,

  // JSON of what an inspection found; null of what was not inspected, or recorded before.
  'ALTER TABLE files ADD COLUMN findings TEXT;',

  // Versions whose documents are still to be generated. `due_at` is the end of the lease while one process works on an order.
  `CREATE TABLE document_orders (
     tenant_id TEXT NOT NULL,
     forecast_no TEXT NOT NULL,
     version INTEGER NOT NULL,
     content TEXT NOT NULL,
     ordered_at INTEGER NOT NULL,
     due_at INTEGER NOT NULL,
     defects INTEGER NOT NULL DEFAULT 0,
     lease TEXT,
     PRIMARY KEY (tenant_id, forecast_no)
   ) STRICT;
   CREATE INDEX document_orders_due ON document_orders (tenant_id, due_at);`,

  // When the next version was recorded.
  `ALTER TABLE documents ADD COLUMN superseded_at INTEGER;
   UPDATE documents SET superseded_at = (
     SELECT generated_at FROM documents AS next
     WHERE next.tenant_id = documents.tenant_id AND next.forecast_no = documents.forecast_no AND next.version = documents.superseded_by
   ) WHERE superseded_by IS NOT NULL;
   CREATE INDEX documents_superseded ON documents (superseded_at) WHERE superseded_at IS NOT NULL;`,

  SqliteErasedTenants.schema,
  retentionTables,
  photoTables,
  usesOfForecast,
  SqliteWorkLease.schema,
  ownFileTables,
  SqliteUsage.schema(),
  storageIndexes,
];
