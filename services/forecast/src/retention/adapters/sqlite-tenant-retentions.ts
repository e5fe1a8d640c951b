import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { TenantRetention } from '../domain/retention.ts';
import type { TenantRetentions } from '../ports.ts';

interface Row {
  readonly version: number;
  readonly forecast_days: number | null;
  readonly file_days: number | null;
}

/** What tenants have chosen, in SQLite. */
export class SqliteTenantRetentions implements TenantRetentions {
  readonly #db: SqliteDatabase;

  /** @param db migrated with forecastMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async find(tenantId: string): Promise<TenantRetention | undefined> {
    const row = this.#db.get<Row>('SELECT version, forecast_days, file_days FROM tenant_retentions WHERE tenant_id = ?', tenantId);
    return row && { tenantId, version: row.version, forecastDays: row.forecast_days, fileDays: row.file_days };
  }

  async record({ tenantId, version, forecastDays, fileDays }: TenantRetention): Promise<void> {
    const sql = `INSERT INTO tenant_retentions (tenant_id, version, forecast_days, file_days) VALUES (?, ?, ?, ?)
      ON CONFLICT (tenant_id) DO UPDATE SET version = excluded.version, forecast_days = excluded.forecast_days, file_days = excluded.file_days
        WHERE excluded.version > version`;
    await this.#db.transaction(() => this.#db.run(sql, tenantId, version, forecastDays, fileDays));
  }
}
