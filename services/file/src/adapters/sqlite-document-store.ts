import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { isSuperseded, type NewDocuments, type StoredDocuments } from '../domain/forecast-documents.ts';
import type { DocumentStore, FoundDocument } from '../ports.ts';
import { isDeletedForecast } from '../retention/adapters/sqlite-deleted-forecasts.ts';
import { abandonUpload, finishUpload } from './sqlite-pending-uploads.ts';

interface DocumentRow {
  readonly tenant_id: string;
  readonly forecast_no: string;
  readonly version: number;
  readonly storage_key: string;
  readonly label_token: string;
  readonly slip_token: string;
  readonly label_end: number;
  readonly copies_end: number | null;
  readonly slip_start: number;
  readonly size: number;
  readonly generated_at: number;
  readonly superseded_by: number | null;
}

const COLUMNS =
  'forecast_no, version, storage_key, label_token, slip_token, label_end, copies_end, slip_start, size, generated_at, superseded_by';

function toDocuments(row: DocumentRow): StoredDocuments {
  return {
    forecastNo: row.forecast_no,
    version: row.version,
    storageKey: row.storage_key,
    labelToken: row.label_token,
    slipToken: row.slip_token,
    labelEnd: row.label_end,
    copiesEnd: row.copies_end,
    slipStart: row.slip_start,
    size: row.size,
    generatedAt: row.generated_at,
    supersededBy: row.superseded_by,
  };
}

/** Documents of forecasts in the file service's SQLite file; a record, its marks and its message are one transaction. */
export class SqliteDocumentStore implements DocumentStore {
  readonly #db: SqliteDatabase;
  readonly #outbox: SqliteOutbox;

  /** @param db migrated with fileMigrations; `outbox` over the same database */
  constructor(db: SqliteDatabase, outbox: SqliteOutbox) {
    this.#db = db;
    this.#outbox = outbox;
  }

  async hasDocuments(tenantId: string, forecastNo: string, version: number): Promise<boolean> {
    if (isDeletedForecast(this.#db, tenantId, forecastNo)) return true;
    // The version check of the rule in domain/forecast-documents.ts.
    const sql = 'SELECT 1 AS one FROM documents WHERE tenant_id = ? AND forecast_no = ? AND version >= ? LIMIT 1';
    return this.#db.get(sql, tenantId, forecastNo, version) !== undefined;
  }

  recordDocuments(tenantId: string, documents: NewDocuments, message: EncodedMessage): Promise<boolean> {
    const { forecastNo, version, storageKey } = documents;
    return this.#db.transaction(() => {
      const newer = this.#neighbour('version > ? ORDER BY version', tenantId, forecastNo, version);
      if (isDeletedForecast(this.#db, tenantId, forecastNo) || !this.#insert(tenantId, documents, newer)) {
        abandonUpload(this.#db, tenantId, storageKey);
        return false;
      }
      finishUpload(this.#db, tenantId, storageKey);
      const older = this.#neighbour('version < ? ORDER BY version DESC', tenantId, forecastNo, version);
      if (older !== null) {
        const sql = 'UPDATE documents SET superseded_by = ?, superseded_at = ? WHERE tenant_id = ? AND forecast_no = ? AND version = ?';
        this.#db.run(sql, version, documents.generatedAt, tenantId, forecastNo, older);
      }
      if (!isSuperseded(version, newer)) this.#outbox.append(message);
      return true;
    });
  }

  async documentsByToken(token: string): Promise<FoundDocument | undefined> {
    const label = this.#db.get<DocumentRow>(`SELECT tenant_id, ${COLUMNS} FROM documents WHERE label_token = ?`, token);
    if (label) return { tenantId: label.tenant_id, documents: toDocuments(label), kind: 'label' };
    const slip = this.#db.get<DocumentRow>(`SELECT tenant_id, ${COLUMNS} FROM documents WHERE slip_token = ?`, token);
    return slip && { tenantId: slip.tenant_id, documents: toDocuments(slip), kind: 'slip' };
  }

  retireSuperseded(before: number, limit: number): Promise<number> {
    return this.#db.transaction(() => {
      const sql =
        'SELECT tenant_id, forecast_no, version, storage_key FROM documents WHERE superseded_at < ? ORDER BY superseded_at LIMIT ?';
      const retired = this.#db.all<Pick<DocumentRow, 'tenant_id' | 'forecast_no' | 'version' | 'storage_key'>>(sql, before, limit);
      for (const { tenant_id: tenantId, forecast_no: forecastNo, version, storage_key: storageKey } of retired) {
        this.#db.run(
          'INSERT INTO pending_uploads (owner_id, storage_key, started_at, abandoned) VALUES (?, ?, 0, 1)',
          tenantId,
          storageKey,
        );
        this.#db.run('DELETE FROM documents WHERE tenant_id = ? AND forecast_no = ? AND version = ?', tenantId, forecastNo, version);
      }
      return retired.length;
    });
  }

  /** The version next to one, in the direction of `condition`; null when there is none. */
  #neighbour(condition: string, tenantId: string, forecastNo: string, version: number): number | null {
    const sql = `SELECT version FROM documents WHERE tenant_id = ? AND forecast_no = ? AND ${condition} LIMIT 1`;
    return this.#db.get<{ version: number }>(sql, tenantId, forecastNo, version)?.version ?? null;
  }

  /** @returns false when the version has documents already */
  #insert(tenantId: string, documents: NewDocuments, supersededBy: number | null): boolean {
    const { changes } = this.#db.run(
      `INSERT INTO documents (tenant_id, ${COLUMNS}, superseded_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (tenant_id, forecast_no, version) DO NOTHING`,
      tenantId,
      documents.forecastNo,
      documents.version,
      documents.storageKey,
      documents.labelToken,
      documents.slipToken,
      documents.labelEnd,
      documents.copiesEnd,
      documents.slipStart,
      documents.size,
      documents.generatedAt,
      supersededBy,
      supersededBy === null ? null : documents.generatedAt,
    );
    return changes === 1;
  }
}
