import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { abandonUpload, finishUpload } from '../../adapters/sqlite-file-store.ts';
import type { DocumentRecords } from '../../ports.ts';
import { isDeletedForecast } from '../../retention/adapters/sqlite-file-retention.ts';
import { KEPT_VERSIONS, type StoredDocuments } from '../domain/forecast-documents.ts';

interface DocumentRow {
  readonly storage_key: string;
  readonly label_end: number;
  readonly copies_end: number | null;
  readonly slip_start: number;
  readonly size: number;
  readonly generated_at: number;
}

const FIND = `SELECT storage_key, label_end, copies_end, slip_start, size, generated_at FROM documents
  WHERE tenant_id = ? AND forecast_no = ? AND version = ?`;
const RECORD = `INSERT INTO documents (tenant_id, forecast_no, version, storage_key, label_end, copies_end, slip_start, size, generated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

const END = 'DELETE FROM documents WHERE tenant_id = ? AND forecast_no = ? AND version <= ? RETURNING storage_key';
const SWEEP = 'INSERT INTO pending_uploads (owner_id, storage_key, started_at, abandoned) VALUES (?, ?, 0, 1)';

/** Documents of forecasts in the file service's SQLite file. */
export class SqliteDocuments implements DocumentRecords {
  readonly #db: SqliteDatabase;

  /** @param db migrated with fileMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async findDocuments(tenantId: string, forecastNo: string, version: number): Promise<StoredDocuments | undefined> {
    const row = this.#db.get<DocumentRow>(FIND, tenantId, forecastNo, version);
    if (row === undefined) return undefined;
    const {
      storage_key: storageKey,
      label_end: labelEnd,
      copies_end: copiesEnd,
      slip_start: slipStart,
      size,
      generated_at: generatedAt,
    } = row;
    return { forecastNo, version, storageKey, labelEnd, copiesEnd, slipStart, size, generatedAt };
  }

  recordDocuments(tenantId: string, documents: StoredDocuments): Promise<boolean> {
    const { forecastNo, version, storageKey, labelEnd, copiesEnd, slipStart, size, generatedAt } = documents;
    return this.#db.transaction(() => {
      const values = [tenantId, forecastNo, version, storageKey, labelEnd, copiesEnd, slipStart, size, generatedAt] as const;
      if (isDeletedForecast(this.#db, tenantId, forecastNo) || this.#db.run(RECORD, ...values).changes === 0) {
        abandonUpload(this.#db, tenantId, storageKey);
        return false;
      }
      finishUpload(this.#db, tenantId, storageKey);
      for (const old of this.#db.all<{ readonly storage_key: string }>(END, tenantId, forecastNo, version - KEPT_VERSIONS))
        this.#db.run(SWEEP, tenantId, old.storage_key);
      return true;
    });
  }
}
