import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ImportStop } from '../domain/import-stop.ts';
import type { ImportStops } from '../ports.ts';

interface StoredStop {
  readonly key_id: string;
  readonly stopped_at: number;
}

/** What has stopped imports lately, in SQLite; see sqlite-import-schema.ts for the table. */
export class SqliteImportStops implements ImportStops {
  readonly #db: SqliteDatabase;

  /** @param db migrated with forecastMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async note({ tenantId, keyId, at }: ImportStop, now: number): Promise<void> {
    const sql = `INSERT INTO import_stops (tenant_id, key_id, stopped_at, noted_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (tenant_id, key_id) DO UPDATE SET stopped_at = max(stopped_at, excluded.stopped_at), noted_at = max(noted_at, excluded.noted_at)`;
    await this.#db.transaction(() => this.#db.run(sql, tenantId, keyId ?? '', at, now));
  }

  async of(tenantId: string, keyId: string): Promise<readonly ImportStop[]> {
    const sql = 'SELECT key_id, stopped_at FROM import_stops WHERE tenant_id = ? AND key_id = ?';
    const found = ['', keyId].map((id) => this.#db.get<StoredStop>(sql, tenantId, id));
    return found.flatMap((stop) => (stop === undefined ? [] : [{ tenantId, keyId: stop.key_id || null, at: stop.stopped_at }]));
  }

  async forget(before: number, limit: number): Promise<number> {
    const some = 'SELECT tenant_id, key_id FROM import_stops WHERE noted_at < ? ORDER BY noted_at LIMIT ?';
    return this.#db.transaction(() => {
      const found = this.#db.all<{ readonly tenant_id: string; readonly key_id: string }>(some, before, limit);
      for (const { tenant_id, key_id } of found) {
        this.#db.run('DELETE FROM import_stops WHERE tenant_id = ? AND key_id = ?', tenant_id, key_id);
      }
      return found.length;
    });
  }
}
