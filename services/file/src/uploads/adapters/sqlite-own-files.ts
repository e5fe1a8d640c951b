import { MAX_COUNTED_USES, MAX_SHOWN_USES } from '@parcelway/contracts/own-files-api';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { FILE_COLUMNS, type FileRow, toFile } from '../../adapters/sqlite-file-store.ts';
import type { ShownNumbers, StoredFile } from '../../domain/stored-file.ts';
import { hideFile, isNamed } from '../../retention/adapters/sqlite-file-uses.ts';
import type { FilePosition, FileQuery, FileUses, HideOutcome, OwnFiles } from '../ports.ts';

interface UseRow {
  readonly forecast_no: string;
  readonly po_number: string | null;
  readonly fields: string;
}

const PAGE = `uploaded_at >= ? AND (uploaded_at, token) < (?, ?) ORDER BY uploaded_at DESC, token DESC LIMIT ?`;
const ALL = `SELECT ${FILE_COLUMNS} FROM files INDEXED BY files_shown WHERE tenant_id = ? AND hidden_at IS NULL AND ${PAGE}`;
const BY_USE = `SELECT ${FILE_COLUMNS} FROM files INDEXED BY files_shown_by_use
  WHERE tenant_id = ? AND is_used = ? AND hidden_at IS NULL AND ${PAGE}`;
const FILE = `SELECT ${FILE_COLUMNS}, hidden_at FROM files WHERE id = ? AND tenant_id = ?`;
const USES = `SELECT forecast_no, po_number, fields FROM file_uses INDEXED BY file_uses_current
  WHERE tenant_id = ? AND token = ? AND is_current = 1 ORDER BY forecast_no DESC LIMIT ?`;
const COUNT = `SELECT count(*) AS count FROM (
  SELECT 1 FROM file_uses INDEXED BY file_uses_current WHERE tenant_id = ? AND token = ? AND is_current = 1 LIMIT ?)`;

interface FoundRow extends FileRow {
  readonly hidden_at: number | null;
}

/** Behind this position comes what was uploaded before an instant. */
const before = (instant: number): FilePosition => ({ uploadedAt: instant, token: '' });

/** The later of both places, newest first. */
function upperBound({ after, uploadedTo }: FileQuery): FilePosition {
  const end = before(uploadedTo ?? Number.MAX_SAFE_INTEGER);
  return after === undefined || end.uploadedAt <= after.uploadedAt ? end : after;
}

/** A tenant's own view of its files in SQLite. */
export class SqliteOwnFiles implements OwnFiles {
  readonly #db: SqliteDatabase;
  readonly #shown: ShownNumbers;

  /** @param db migrated with fileMigrations */
  constructor(db: SqliteDatabase, shown: ShownNumbers) {
    this.#db = db;
    this.#shown = shown;
  }

  async list(tenantId: string, query: FileQuery): Promise<readonly StoredFile[]> {
    const { isUsed, uploadedFrom = 0, limit } = query;
    const { uploadedAt, token } = upperBound(query);
    const page = [uploadedFrom, uploadedAt, token, limit] as const;
    const rows =
      isUsed === undefined
        ? this.#db.all<FileRow>(ALL, tenantId, ...page)
        : this.#db.all<FileRow>(BY_USE, tenantId, isUsed ? 1 : 0, ...page);
    return rows.map((row) => toFile(row, this.#shown));
  }

  async find(tenantId: string, attachmentId: number): Promise<StoredFile | undefined> {
    const row = this.#find(tenantId, attachmentId);
    return row === undefined || row.hidden_at !== null ? undefined : toFile(row, this.#shown);
  }

  async usesOf(tenantId: string, token: string): Promise<FileUses> {
    const rows = this.#db.all<UseRow>(USES, tenantId, token, MAX_SHOWN_USES);
    const uses = rows.map(({ forecast_no, po_number, fields }) => ({
      forecastNo: forecast_no,
      poNumber: po_number,
      fields: fields === '' ? [] : fields.split(' '),
    }));
    if (uses.length < MAX_SHOWN_USES) return { uses, count: uses.length };
    return { uses, count: this.#db.get<{ readonly count: number }>(COUNT, tenantId, token, MAX_COUNTED_USES)?.count ?? 0 };
  }

  hide(tenantId: string, attachmentId: number, now: number): Promise<HideOutcome> {
    return this.#db.transaction(() => {
      const row = this.#find(tenantId, attachmentId);
      if (row === undefined) return 'missing';
      if (row.hidden_at !== null) return 'hidden';
      if (isNamed(this.#db, tenantId, row.token)) return 'used';
      hideFile(this.#db, row, now);
      return 'hidden';
    });
  }

  #find(tenantId: string, attachmentId: number): FoundRow | undefined {
    const id = this.#shown.fileNumber(attachmentId);
    return id === undefined ? undefined : this.#db.get<FoundRow>(FILE, id, tenantId);
  }
}
