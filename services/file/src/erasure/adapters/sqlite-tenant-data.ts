import type { Blobs } from '@parcelway/blobs/blobs';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import { eraseRows, freePagesKind } from '@parcelway/sqlite/secure-delete';
import { sqliteKind, TENANT_BATCH } from '@parcelway/sqlite/tenant-data';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { usageKind } from '@parcelway/store/shared/usage-days';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import type { FileTenantData } from '../../ports.ts';

type Row = Readonly<Record<string, SqlValue>>;

/** Contents that one step deletes. */
const CONTENTS_AT_ONCE = 20;

const FILES = `SELECT md5, sha256, name, size, uploaded_at, token, storage_key, findings FROM files
  WHERE tenant_id = ? AND (md5, sha256) > (?, ?) ORDER BY md5, sha256 LIMIT ?`;
const IMAGES = `SELECT md5, sha256, media_type, size, uploaded_at, token, storage_key FROM photos
  WHERE tenant_id = ? AND token > ? ORDER BY token LIMIT ?`;
const DOCUMENTS = `SELECT forecast_no, version, size, generated_at, storage_key FROM documents
  WHERE tenant_id = ? AND (forecast_no, version) > (?, ?) ORDER BY forecast_no, version LIMIT ?`;
const PHOTO_USES = 'SELECT token, forecast_no FROM photo_uses INDEXED BY photo_uses_of_forecast WHERE tenant_id = ? LIMIT ?';
/** Beside the tenant's own uses in the index, on either side: a photo may have many of them. */
const OF_ANOTHER = `SELECT 1 AS one FROM photo_uses WHERE token = ? AND tenant_id < ?
  UNION ALL SELECT 1 FROM photo_uses WHERE token = ? AND tenant_id > ? LIMIT 1`;

/** A pair of values as a cursor, and the pair in a cursor. */
const cursorOf = (...pair: unknown[]): string => JSON.stringify(pair);
const pairIn = (after: string | null, first: SqlValue, second: SqlValue): readonly [SqlValue, SqlValue] =>
  after === null ? [first, second] : (JSON.parse(after) as [SqlValue, SqlValue]);

/** Deletes contents, and then what names them: a crash in between leaves a record whose content the repeat does not find. */
async function eraseContents(db: SqliteDatabase, blobs: Blobs, rows: readonly Row[], forget: (row: Row) => void): Promise<number> {
  await Promise.all(rows.map(({ storage_key }) => blobs.delete(String(storage_key))));
  return eraseRows(db, () => {
    for (const row of rows) forget(row);
    return rows.length;
  });
}

function contentKinds(db: SqliteDatabase, blobs: Blobs): readonly TenantDataKind[] {
  const files = (tenantId: string, after: string | null, limit: number): Row[] =>
    db.all<Row>(FILES, tenantId, ...pairIn(after, '', ''), limit);
  const images = (tenantId: string, after: string | null, limit: number): Row[] => db.all<Row>(IMAGES, tenantId, after ?? '', limit);
  const documents = (tenantId: string, after: string | null, limit: number): Row[] =>
    db.all<Row>(DOCUMENTS, tenantId, ...pairIn(after, '', 0), limit);
  return [
    {
      name: 'files',
      list: async (tenantId, after) =>
        files(tenantId, after, TENANT_BATCH).map(({ findings, storage_key: _key, ...row }) => ({
          cursor: cursorOf(row['md5'], row['sha256']),
          record: { ...row, findings: findings === null ? null : (JSON.parse(String(findings)) as unknown) },
        })),
      erase: (tenantId) =>
        eraseContents(db, blobs, files(tenantId, null, CONTENTS_AT_ONCE), ({ md5, sha256 }) =>
          db.run('DELETE FROM files WHERE tenant_id = ? AND md5 = ? AND sha256 = ?', tenantId, md5 as string, sha256 as string),
        ),
    },
    {
      name: 'images',
      list: async (tenantId, after) =>
        images(tenantId, after, TENANT_BATCH).map(({ storage_key: _key, ...row }) => ({ cursor: String(row['token']), record: row })),
      erase: (tenantId) =>
        eraseContents(db, blobs, images(tenantId, null, CONTENTS_AT_ONCE), ({ token }) =>
          db.run('DELETE FROM photos WHERE token = ?', token as string),
        ),
    },
    {
      name: 'documents',
      list: async (tenantId, after) =>
        documents(tenantId, after, TENANT_BATCH).map(({ storage_key: _key, ...row }) => ({
          cursor: cursorOf(row['forecast_no'], row['version']),
          record: row,
        })),
      erase: (tenantId) =>
        eraseContents(db, blobs, documents(tenantId, null, CONTENTS_AT_ONCE), ({ forecast_no, version }) =>
          db.run(
            'DELETE FROM documents WHERE tenant_id = ? AND forecast_no = ? AND version = ?',
            tenantId,
            forecast_no as string,
            version as number,
          ),
        ),
    },
  ];
}

/** Deletes photos by their tokens, but for those that another tenant has. */
async function erasePhotos(db: SqliteDatabase, blobs: Blobs, tenantId: string, tokens: readonly string[]): Promise<number> {
  const own = tokens.filter((token) => db.get(OF_ANOTHER, token, tenantId, token, tenantId) === undefined);
  const found = own.map((token) => db.get<Row>('SELECT token, storage_key FROM photos WHERE token = ?', token));
  const rows = found.filter((row) => row !== undefined);
  return eraseContents(db, blobs, rows, ({ token }) => db.run('DELETE FROM photos WHERE token = ?', token as string));
}

/** Which photos a tenant has: deleted with the photos that nobody else has, which no forecast may name any more. */
function photoUsesKind(db: SqliteDatabase, blobs: Blobs): TenantDataKind {
  return {
    name: 'photo_uses',
    async erase(tenantId) {
      const rows = db.all<Row>(PHOTO_USES, tenantId, CONTENTS_AT_ONCE);
      const tokens = [...new Set(rows.map(({ token }) => String(token)))];
      await erasePhotos(db, blobs, tenantId, tokens);
      return eraseRows(db, () => {
        const sql = 'DELETE FROM photo_uses WHERE token = ? AND tenant_id = ? AND forecast_no = ?';
        for (const { token, forecast_no } of rows) db.run(sql, token as string, tenantId, forecast_no as string);
        return rows.length;
      });
    },
  };
}

/** What the service stores about tenants, in its SQLite file and among its contents. @param db has the migrations of the service */
export function createSqliteTenantData(db: SqliteDatabase, blobs: Blobs): FileTenantData {
  return {
    kinds: [
      ...contentKinds(db, blobs),
      sqliteKind(db, {
        name: 'file_uses',
        erase(tenantId) {
          const rows = db.all<Row>('SELECT token, forecast_no FROM file_uses WHERE tenant_id = ? LIMIT ?', tenantId, TENANT_BATCH);
          const sql = 'DELETE FROM file_uses WHERE tenant_id = ? AND token = ? AND forecast_no = ?';
          for (const { token, forecast_no } of rows) db.run(sql, tenantId, token as string, forecast_no as string);
          return rows.length;
        },
      }),
      photoUsesKind(db, blobs),
      sqliteKind(db, {
        name: 'deleted_forecasts',
        erase(tenantId) {
          const rows = db.all<Row>('SELECT forecast_no FROM deleted_forecasts WHERE tenant_id = ? LIMIT ?', tenantId, TENANT_BATCH);
          const sql = 'DELETE FROM deleted_forecasts WHERE tenant_id = ? AND forecast_no = ?';
          for (const { forecast_no } of rows) db.run(sql, tenantId, forecast_no as string);
          return rows.length;
        },
      }),
      idempotencyKind(createSqliteStore({ db })),
      usageKind(createSqliteStore({ db })),
      freePagesKind(db),
    ],
    erased: createErasedTenants(createSqliteStore({ db })),
    photos: { erasePhotos: (tenantId, tokens) => erasePhotos(db, blobs, tenantId, tokens) },
  };
}
