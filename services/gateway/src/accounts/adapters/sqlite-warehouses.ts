import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { WarehouseRecord } from '../domain/records.ts';
import type { WarehouseStore } from '../ports.ts';

interface Row {
  readonly code: string;
  readonly name: string;
  readonly created_at: number;
}

function toRecord(row: Row): WarehouseRecord {
  return { code: row.code, name: row.name, createdAt: row.created_at };
}

/** Warehouses in SQLite. */
export class SqliteWarehouses implements WarehouseStore {
  readonly #db: SqliteDatabase;
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async add(warehouse: WarehouseRecord): Promise<boolean> {
    const { code, name, createdAt } = warehouse;
    const result = await this.#db.transaction(() =>
      this.#db.run('INSERT INTO warehouses (code, name, created_at) VALUES (?, ?, ?) ON CONFLICT (code) DO NOTHING', code, name, createdAt),
    );
    return result.changes === 1;
  }

  async find(code: string): Promise<WarehouseRecord | undefined> {
    const row = this.#db.get<Row>('SELECT code, name, created_at FROM warehouses WHERE code = ?', code);
    return row && toRecord(row);
  }

  async list(limit: number): Promise<WarehouseRecord[]> {
    return this.#db.all<Row>('SELECT code, name, created_at FROM warehouses ORDER BY code LIMIT ?', limit).map(toRecord);
  }
}
