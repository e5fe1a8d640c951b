import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { KnownWarehouse, WarehouseSamples, WarehouseStore } from '../ports.ts';

interface Row {
  readonly code: string;
  readonly version: number;
  readonly is_open: number;
}

export class SqliteWarehouses implements WarehouseStore, WarehouseSamples {
  readonly #db: SqliteDatabase;

  /** @param db migrated with forecastMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async find(code: string): Promise<KnownWarehouse | undefined> {
    const row = this.#db.get<Row>('SELECT code, version, is_open FROM warehouses WHERE code = ?', code);
    return row && { code: row.code, version: row.version, isOpen: row.is_open === 1 };
  }

  async isEmpty(): Promise<boolean> {
    return this.#db.get('SELECT 1 FROM warehouses LIMIT 1') === undefined;
  }

  async some(limit: number): Promise<readonly KnownWarehouse[]> {
    const rows = this.#db.all<Row>('SELECT code, version, is_open FROM warehouses ORDER BY code LIMIT ?', limit);
    return rows.map(({ code, version, is_open }) => ({ code, version, isOpen: is_open === 1 }));
  }

  async record({ code, version, isOpen }: KnownWarehouse): Promise<void> {
    const sql = `INSERT INTO warehouses (code, version, is_open) VALUES (?, ?, ?)
      ON CONFLICT (code) DO UPDATE SET version = excluded.version, is_open = excluded.is_open WHERE excluded.version > version`;
    await this.#db.transaction(() => this.#db.run(sql, code, version, isOpen ? 1 : 0));
  }
}
