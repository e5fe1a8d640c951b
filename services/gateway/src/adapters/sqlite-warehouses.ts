import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import type { WarehouseRecord } from '../tenants/domain/records.ts';
import type { WarehouseChange } from '../tenants/domain/warehouse-events.ts';
import type { WarehouseStore } from '../tenants/ports.ts';

const COLUMNS = 'code, name, created_at AS createdAt, closed_at AS closedAt, version';

/** Warehouses in SQLite. A change and its event are one transaction. */
export class SqliteWarehouses implements WarehouseStore {
  readonly #db: SqliteDatabase;
  readonly #outbox: SqliteOutbox;

  /** @param outbox over the same database */
  constructor(db: SqliteDatabase, outbox: SqliteOutbox) {
    this.#db = db;
    this.#outbox = outbox;
  }

  add({ warehouse, message }: WarehouseChange): Promise<boolean> {
    const { code, name, createdAt, closedAt, version } = warehouse;
    const sql = 'INSERT INTO warehouses (code, name, created_at, closed_at, version) VALUES (?, ?, ?, ?, ?) ON CONFLICT (code) DO NOTHING';
    return this.#write(() => this.#db.run(sql, code, name, createdAt, closedAt, version), message);
  }

  change({ warehouse, message }: WarehouseChange): Promise<boolean> {
    const { code, name, closedAt, version } = warehouse;
    const sql = 'UPDATE warehouses SET name = ?, closed_at = ?, version = ? WHERE code = ? AND version = ?';
    return this.#write(() => this.#db.run(sql, name, closedAt, version, code, version - 1), message);
  }

  async find(code: string): Promise<WarehouseRecord | undefined> {
    return this.#db.get<WarehouseRecord>(`SELECT ${COLUMNS} FROM warehouses WHERE code = ?`, code);
  }

  async list(limit: number): Promise<WarehouseRecord[]> {
    return this.#db.all<WarehouseRecord>(`SELECT ${COLUMNS} FROM warehouses ORDER BY code LIMIT ?`, limit);
  }

  #write(statement: () => { readonly changes: number }, message: WarehouseChange['message']): Promise<boolean> {
    return this.#db.transaction(() => {
      const written = statement().changes === 1;
      if (written) this.#outbox.append(message);
      return written;
    });
  }
}
