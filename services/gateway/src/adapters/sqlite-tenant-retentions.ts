import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import type { RetentionChange, TenantRetentionRecord } from '../tenants/domain/tenant-retention.ts';
import type { TenantRetentionStore } from '../tenants/ports.ts';

interface Row {
  readonly version: number | null;
  readonly forecast_days: number | null;
  readonly file_days: number | null;
}

/** How long data of tenants is kept, in SQLite. A change and its event are one transaction. */
export class SqliteTenantRetentions implements TenantRetentionStore {
  /** One entry of the migrations of the service. A tenant that has chosen nothing has no row. */
  static readonly schema = `CREATE TABLE tenant_retentions (
    tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
    version INTEGER NOT NULL,
    forecast_days INTEGER,
    file_days INTEGER
  ) STRICT, WITHOUT ROWID`;

  readonly #db: SqliteDatabase;
  readonly #outbox: SqliteOutbox;

  /** @param outbox over the same database */
  constructor(db: SqliteDatabase, outbox: SqliteOutbox) {
    this.#db = db;
    this.#outbox = outbox;
  }

  async find(tenantId: string): Promise<TenantRetentionRecord | undefined> {
    const sql = `SELECT version, forecast_days, file_days FROM tenants LEFT JOIN tenant_retentions ON tenant_id = id WHERE id = ?`;
    const row = this.#db.get<Row>(sql, tenantId);
    return row && { tenantId, version: row.version ?? 0, forecastDays: row.forecast_days, fileDays: row.file_days };
  }

  change({ retention, message }: RetentionChange): Promise<boolean> {
    const { tenantId, version, forecastDays, fileDays } = retention;
    const sql = `INSERT INTO tenant_retentions (tenant_id, version, forecast_days, file_days) VALUES (?, ?, ?, ?)
      ON CONFLICT (tenant_id) DO UPDATE SET version = excluded.version, forecast_days = excluded.forecast_days, file_days = excluded.file_days
        WHERE version = excluded.version - 1`;
    return this.#db.transaction(() => {
      const isWritten = this.#db.run(sql, tenantId, version, forecastDays, fileDays).changes === 1;
      if (isWritten) this.#outbox.append(message);
      return isWritten;
    });
  }
}
