import type { SqliteDatabase } from '@parcelway/sqlite/database';
import {
  type EndedFiles,
  type FileRetention,
  imageUnusedSince,
  type NamedFiles,
  type OwnImages,
  type PhotoLinks,
  refusedReport,
} from '../ports.ts';
import { isNamed, noteCancelled, noteUses, settleUse, showFile } from './sqlite-file-uses.ts';

/** A content that is to be removed. */
interface Ended {
  readonly owner_id: string;
  readonly storage_key: string;
}

interface UnusedFile {
  readonly tenant_id: string;
  readonly token: string;
  readonly hidden_at: number | null;
}

const IS_USED = 'SELECT 1 AS one FROM file_uses WHERE tenant_id = ? AND token = ? LIMIT 1';
const IS_SHOWN = 'SELECT 1 AS one FROM photo_uses WHERE token = ? LIMIT 1';
const END_PHOTO = 'DELETE FROM photos WHERE token = ? RETURNING warehouse_code AS owner_id, storage_key';
const END_LINK = 'DELETE FROM photo_uses WHERE token = ? AND tenant_id = ? AND forecast_no = ?';
const PDFS = 'SELECT token FROM file_uses INDEXED BY file_uses_of_forecast WHERE tenant_id = ? AND forecast_no = ?';
const PHOTOS = 'SELECT token FROM photo_uses INDEXED BY photo_uses_of_forecast WHERE tenant_id = ? AND forecast_no = ?';

/** Uses and the end of files in SQLite; each step is one transaction. */
export class SqliteFileRetention implements FileRetention {
  readonly #db: SqliteDatabase;

  /** @param db migrated with fileMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async noteUses(named: NamedFiles): Promise<void> {
    // The first version of a forecast without files: nothing to note, and nothing noted before.
    if (named.files.length === 0 && named.version === 1) return;
    await this.#db.transaction(() => {
      if (!isDeletedForecast(this.#db, named.tenantId, named.forecastNo)) noteUses(this.#db, named);
    });
  }

  async noteCancelled(tenantId: string, forecastNo: string): Promise<void> {
    await this.#db.transaction(() => {
      if (!isDeletedForecast(this.#db, tenantId, forecastNo)) noteCancelled(this.#db, tenantId, forecastNo);
    });
  }

  async noteImages(own: OwnImages, now: number): Promise<void> {
    await this.#db.transaction(() => {
      if (!isDeletedForecast(this.#db, own.tenantId, own.forecastNo)) return noteImages(this.#db, own, now);
      for (const token of own.images) this.#endPhoto(own.tenantId, own.forecastNo, token);
    });
  }

  async notePhotos(links: PhotoLinks): Promise<void> {
    const { tenantId, forecastNo, photos } = links;
    await this.#db.transaction(() => {
      if (isDeletedForecast(this.#db, tenantId, refusedReport(links))) return;
      if (isDeletedForecast(this.#db, tenantId, forecastNo)) {
        for (const token of photos) this.#endPhoto(tenantId, forecastNo, token);
        return;
      }
      const sql = 'INSERT INTO photo_uses (token, tenant_id, forecast_no) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
      for (const token of photos) this.#db.run(sql, token, tenantId, forecastNo);
    });
  }

  async noteRefused(refused: PhotoLinks, now: number): Promise<void> {
    const { tenantId, forecastNo, photos } = refused;
    await this.#db.transaction(() => {
      noteDeletedForecast(this.#db, tenantId, refusedReport(refused), now);
      for (const token of photos) this.#db.run(END_LINK, token, tenantId, forecastNo);
    });
  }

  async endFiles({ tenantId, forecastNo, files, photos, forecast }: EndedFiles, now: number): Promise<void> {
    await this.#db.transaction(() => {
      if (forecast === 'deleted') noteDeletedForecast(this.#db, tenantId, forecastNo, now);
      this.#remove(
        'DELETE FROM documents WHERE tenant_id = ? AND forecast_no = ? RETURNING tenant_id AS owner_id, storage_key',
        tenantId,
        forecastNo,
      );
      const noted = forecast === 'kept' ? [] : this.#db.all<{ readonly token: string }>(PHOTOS, tenantId, forecastNo);
      for (const token of new Set([...photos, ...noted.map((use) => use.token)])) this.#endPhoto(tenantId, forecastNo, token);
      const used = this.#db.all<{ readonly token: string }>(PDFS, tenantId, forecastNo);
      for (const token of new Set([...files, ...used.map((use) => use.token)])) this.#endUse(tenantId, forecastNo, token, now);
    });
  }

  async noteUpload(tenantId: string, token: string): Promise<void> {
    await this.#db.transaction(() =>
      this.#db.run('UPDATE files SET unused_since = NULL WHERE token = ? AND tenant_id = ? AND hidden_at IS NULL', token, tenantId),
    );
  }

  retireUnused(before: number, limit: number): Promise<number> {
    return this.#db.transaction(() => this.#retireFiles(before, limit) + this.#retireImages(before, limit));
  }

  #retireFiles(before: number, limit: number): number {
    const sql = 'SELECT tenant_id, token, hidden_at FROM files WHERE unused_since < ? ORDER BY unused_since LIMIT ?';
    const unused = this.#db.all<UnusedFile>(sql, before, limit);
    for (const { tenant_id: tenantId, token, hidden_at } of unused) {
      const isUsed = hidden_at === null ? this.#db.get(IS_USED, tenantId, token) !== undefined : isNamed(this.#db, tenantId, token);
      if (!isUsed) this.#remove('DELETE FROM files WHERE token = ? RETURNING tenant_id AS owner_id, storage_key', token);
      else if (hidden_at === null) this.#db.run('UPDATE files SET unused_since = NULL WHERE token = ?', token);
      else showFile(this.#db, tenantId, token);
    }
    return unused.length;
  }

  #retireImages(before: number, limit: number): number {
    const sql = 'SELECT token FROM photos WHERE unused_since < ? ORDER BY unused_since LIMIT ?';
    const unused = this.#db.all<{ readonly token: string }>(sql, before, limit);
    // A forecast that has an image takes its time away in the same transaction.
    for (const { token } of unused) this.#remove(END_PHOTO, token);
    return unused.length;
  }

  forgetDeleted(before: number, limit: number): Promise<number> {
    return this.#db.transaction(() => {
      const sql = 'SELECT tenant_id, forecast_no FROM deleted_forecasts WHERE deleted_at < ? ORDER BY deleted_at LIMIT ?';
      const old = this.#db.all<{ readonly tenant_id: string; readonly forecast_no: string }>(sql, before, limit);
      for (const { tenant_id, forecast_no } of old)
        this.#db.run('DELETE FROM deleted_forecasts WHERE tenant_id = ? AND forecast_no = ?', tenant_id, forecast_no);
      return old.length;
    });
  }

  /** Takes a PDF from a forecast; when no other uses it, it is unused from now on. A repeat does not count anew. Only in a transaction. */
  #endUse(tenantId: string, forecastNo: string, token: string, now: number): void {
    const deletion = 'DELETE FROM file_uses WHERE tenant_id = ? AND token = ? AND forecast_no = ?';
    const { changes } = this.#db.run(deletion, tenantId, token, forecastNo);
    settleUse(this.#db, tenantId, token);
    if (this.#db.get(IS_USED, tenantId, token) !== undefined) return;
    const sql = `UPDATE files SET unused_since = ? WHERE token = ? AND tenant_id = ? AND hidden_at IS NULL AND (unused_since IS NULL OR ? > 0)`;
    this.#db.run(sql, now, token, tenantId, changes);
  }

  /** Takes a photo from a forecast, and ends it when no other has it. Only in a transaction. */
  #endPhoto(tenantId: string, forecastNo: string, token: string): void {
    this.#db.run(END_LINK, token, tenantId, forecastNo);
    if (this.#db.get(IS_SHOWN, token) !== undefined) return;
    this.#remove(END_PHOTO, token);
  }

  /** Runs a deletion, and leaves the contents of what it deleted to the sweep of abandoned uploads. Only in a transaction. */
  #remove(deletion: string, ...values: readonly string[]): void {
    for (const { owner_id, storage_key } of this.#db.all<Ended>(deletion, ...values)) {
      const sql = 'INSERT INTO pending_uploads (owner_id, storage_key, started_at, abandoned) VALUES (?, ?, 0, 1) ON CONFLICT DO NOTHING';
      this.#db.run(sql, owner_id, storage_key);
    }
  }
}

const IS_DELETED = 'SELECT 1 AS one FROM deleted_forecasts WHERE tenant_id = ? AND forecast_no = ?';

const NOTE = 'INSERT INTO deleted_forecasts (tenant_id, forecast_no, deleted_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';

/** Remembers a deleted forecast, or a refused report, for some days. A repeat has no effect. */
export function noteDeletedForecast(db: SqliteDatabase, tenantId: string, forecastNo: string, now: number): void {
  db.run(NOTE, tenantId, forecastNo, now);
}

/** True of a forecast that was deleted in the last days: what is recorded of it now is over already. Whoever records something asks in the same transaction. */
export function isDeletedForecast(db: SqliteDatabase, tenantId: string, forecastNo: string): boolean {
  return db.get(IS_DELETED, tenantId, forecastNo) !== undefined;
}

interface UseRow {
  readonly token: string;
  readonly revision: number | null;
}

const OF_FORECAST = 'SELECT token, revision FROM photo_uses INDEXED BY photo_uses_of_forecast WHERE tenant_id = ? AND forecast_no = ?';
const PUT = `INSERT INTO photo_uses (token, tenant_id, forecast_no, revision) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET revision = excluded.revision`;
const SET_UNUSED = 'UPDATE photos SET unused_since = ? WHERE token = ? AND tenant_id = ?';

/** The token of what says which revision of a forecast's own images was noted last. */
const MARK = '';

/** See FileRetention.noteImages; the forecast was not deleted. Only in a transaction. */
export function noteImages(db: SqliteDatabase, { tenantId, forecastNo, revision, images }: OwnImages, now: number): void {
  const known = db.all<UseRow>(OF_FORECAST, tenantId, forecastNo).filter((use) => use.revision !== null);
  const noted = known.find(({ token }) => token === MARK)?.revision ?? 0;
  if (revision <= noted) return;
  for (const { token } of known) {
    if (token === MARK || images.includes(token)) continue;
    db.run(END_LINK, token, tenantId, forecastNo);
    if (db.get(IS_SHOWN, token) === undefined) db.run(SET_UNUSED, imageUnusedSince(now), token, tenantId);
  }
  for (const token of images) {
    db.run(PUT, token, tenantId, forecastNo, revision);
    db.run(SET_UNUSED, null, token, tenantId);
  }
  db.run(PUT, MARK, tenantId, forecastNo, revision);
}
