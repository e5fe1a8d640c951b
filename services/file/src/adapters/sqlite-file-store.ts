import { AppError } from '@parcelway/kernel/app-error';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ContentIdentity, NewFile, NewPhoto, ShownNumbers, StoredFile, StoredPhoto } from '../domain/stored-file.ts';
import type { FileStore } from '../ports.ts';
import type { FileKind } from '../uploads/domain/accepted-file-type.ts';
import type { PdfFindings } from '../uploads/domain/inspected-pdf.ts';
import { fileMigrations } from './sqlite-schema.ts';

/** Whose photo it is: the column of the warehouse has the tenant, too, for the sweep of contents. */
interface PhotoOwner {
  readonly ownerId: string;
  readonly tenantId: string | null;
  readonly unusedSince: number | null;
}

interface PhotoRow extends Omit<FileRow, 'name' | 'findings'> {
  readonly media_type: FileKind['mediaType'];
}

/** The file service's stores over one SQLite file. */
export class SqliteFileStore implements FileStore {
  readonly #db: SqliteDatabase;
  readonly #shown: ShownNumbers;

  constructor(db: SqliteDatabase, shown: ShownNumbers) {
    db.migrate(fileMigrations);
    this.#db = db;
    this.#shown = shown;
  }

  async begin(ownerId: string, storageKey: string, now: number): Promise<void> {
    await this.#db.transaction(() =>
      this.#db.run('INSERT INTO pending_uploads (owner_id, storage_key, started_at) VALUES (?, ?, ?)', ownerId, storageKey, now),
    );
  }

  async abandon(ownerId: string, storageKey: string): Promise<boolean> {
    return (await this.#db.transaction(() => abandonUpload(this.#db, ownerId, storageKey))) === 1;
  }

  async forget(ownerId: string, storageKey: string): Promise<void> {
    await this.#db.transaction(() =>
      this.#db.run('DELETE FROM pending_uploads WHERE owner_id = ? AND storage_key = ?', ownerId, storageKey),
    );
  }

  claim(before: number, limit: number): Promise<{ ownerId: string; storageKey: string }[]> {
    return this.#db.transaction(() =>
      this.#db
        .all<{ owner_id: string; storage_key: string }>(
          'SELECT owner_id, storage_key FROM pending_uploads WHERE abandoned = 1 OR started_at < ? LIMIT ?',
          before,
          limit,
        )
        .map(({ owner_id: ownerId, storage_key: storageKey }) => {
          abandonUpload(this.#db, ownerId, storageKey);
          return { ownerId, storageKey };
        }),
    );
  }

  async findByContent(tenantId: string, content: ContentIdentity): Promise<StoredFile | undefined> {
    return this.#fileOf(tenantId, content);
  }

  #fileOf(tenantId: string, { md5, sha256 }: ContentIdentity): StoredFile | undefined {
    const sql = `SELECT ${FILE_COLUMNS} FROM files WHERE tenant_id = ? AND md5 = ? AND sha256 = ?`;
    const row = this.#db.get<FileRow>(sql, tenantId, md5, sha256);
    return row && toFile(row, this.#shown);
  }

  recordFile(tenantId: string, file: NewFile): Promise<{ file: StoredFile; isNew: boolean }> {
    return this.#db.transaction(() => {
      const { storageKey, token, name, md5, sha256, size, uploadedAt, findings } = file;
      const { changes, lastInsertRowid } = this.#db.run(
        `INSERT INTO files (tenant_id, md5, sha256, storage_key, token, name, size, uploaded_at, findings)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (tenant_id, md5, sha256) DO NOTHING`,
        tenantId,
        md5,
        sha256,
        storageKey,
        token,
        name,
        size,
        uploadedAt,
        findings === undefined ? null : JSON.stringify(findings),
      );
      if (changes === 0) {
        abandonUpload(this.#db, tenantId, storageKey);
        return { file: this.#fileOf(tenantId, file) as StoredFile, isNew: false };
      }
      finishUpload(this.#db, tenantId, storageKey);
      return { file: { ...file, id: this.#shown.file(lastInsertRowid) }, isNew: true };
    });
  }

  recordPhoto(warehouseCode: string, photo: NewPhoto): Promise<StoredPhoto> {
    return this.#recordPhoto({ ownerId: warehouseCode, tenantId: null, unusedSince: null }, photo);
  }

  recordImage(tenantId: string, image: NewPhoto, unusedSince: number): Promise<StoredPhoto> {
    return this.#recordPhoto({ ownerId: tenantId, tenantId, unusedSince }, image);
  }

  #recordPhoto({ ownerId, tenantId, unusedSince }: PhotoOwner, photo: NewPhoto): Promise<StoredPhoto> {
    return this.#db.transaction(() => {
      const { storageKey, token, mediaType, md5, sha256, size, uploadedAt } = photo;
      const { lastInsertRowid } = this.#db.run(
        `INSERT INTO photos (warehouse_code, tenant_id, unused_since, storage_key, token, media_type, md5, sha256, size, uploaded_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ownerId,
        tenantId,
        unusedSince,
        storageKey,
        token,
        mediaType,
        md5,
        sha256,
        size,
        uploadedAt,
      );
      finishUpload(this.#db, ownerId, storageKey);
      return { ...photo, id: this.#shown.photo(lastInsertRowid) };
    });
  }

  async fileByToken(token: string, which: 'shown' | 'all' = 'shown'): Promise<StoredFile | undefined> {
    const row = this.#db.get<FileRow & { readonly hidden_at: number | null }>(
      `SELECT ${FILE_COLUMNS}, hidden_at FROM files WHERE token = ?`,
      token,
    );
    if (which === 'shown' && row?.hidden_at != null) return undefined;
    return row && toFile(row, this.#shown);
  }

  async photoByToken(token: string): Promise<StoredPhoto | undefined> {
    const row = this.#db.get<PhotoRow>(
      'SELECT id, storage_key, token, media_type, md5, sha256, size, uploaded_at FROM photos WHERE token = ?',
      token,
    );
    return row && this.#toPhoto(row);
  }

  /** Rejects when the store cannot be read. */
  async check(): Promise<void> {
    this.#db.get('SELECT 1 AS one');
  }

  #toPhoto({ id, storage_key, token, media_type, md5, sha256, size, uploaded_at }: PhotoRow): StoredPhoto {
    return {
      id: this.#shown.photo(id),
      storageKey: storage_key,
      token,
      mediaType: media_type,
      md5,
      sha256,
      size,
      uploadedAt: uploaded_at,
    };
  }
}

/*
 * The end of a pending upload, one way or the other; inside the transaction of whoever decides it.
 */

/** Makes sure that an upload is not recorded any more. @returns how many pending ones there are of that name: 1, or 0 when it was recorded or forgotten */
export function abandonUpload(db: SqliteDatabase, ownerId: string, storageKey: string): number {
  return db.run('UPDATE pending_uploads SET abandoned = 1 WHERE owner_id = ? AND storage_key = ?', ownerId, storageKey).changes;
}

/** Ends a pending upload that is recorded. @throws AppError 50301 when a sweep has claimed its content */
export function finishUpload(db: SqliteDatabase, ownerId: string, storageKey: string): void {
  const { changes } = db.run('DELETE FROM pending_uploads WHERE owner_id = ? AND storage_key = ? AND abandoned = 0', ownerId, storageKey);
  if (changes !== 1) throw AppError.unavailable('The upload took too long and was cancelled');
}

/** A row of the table of PDFs. */
export interface FileRow {
  readonly id: number;
  readonly storage_key: string;
  readonly token: string;
  readonly name: string;
  readonly md5: string;
  readonly sha256: string;
  readonly size: number;
  readonly uploaded_at: number;
  /** JSON. */
  readonly findings: string | null;
}

/** The columns of a {@link FileRow}. */
export const FILE_COLUMNS = 'id, storage_key, token, name, md5, sha256, size, uploaded_at, findings';

/** A file from its row. */
export function toFile({ id, storage_key, uploaded_at, findings: json, ...row }: FileRow, numbers: ShownNumbers): StoredFile {
  const findings = json === null ? undefined : (JSON.parse(json) as PdfFindings);
  const { token, name, md5, sha256, size } = row;
  return { id: numbers.file(id), storageKey: storage_key, token, name, md5, sha256, size, uploadedAt: uploaded_at, findings };
}
