import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { OperatorRecord } from '../operators/domain/operator.ts';
import type { OperatorStore } from '../operators/ports.ts';

const COLUMNS = 'name, role, hash, created_at AS createdAt, expires_at AS expiresAt, last_used_at AS lastUsedAt, revoked_at AS revokedAt';
const IS_DEAD = '(revoked_at IS NOT NULL OR expires_at <= ?)';

/** Operators in SQLite. */
export class SqliteOperators implements OperatorStore {
  /** One entry of the migrations of the service. */
  static readonly schema = `CREATE TABLE operators (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL CHECK (role IN ('read', 'support', 'admin')),
    hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID`;

  readonly #db: SqliteDatabase;
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async list(limit: number): Promise<OperatorRecord[]> {
    return this.#db.all<OperatorRecord>(`SELECT ${COLUMNS} FROM operators ORDER BY name LIMIT ?`, limit);
  }

  add({ name, role, hash, createdAt, expiresAt }: OperatorRecord, now: number): Promise<boolean> {
    const sql = `INSERT INTO operators (name, role, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET role = excluded.role, hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at,
        last_used_at = NULL, revoked_at = NULL
        WHERE ${IS_DEAD}`;
    return this.#db.transaction(() => this.#db.run(sql, name, role, hash, createdAt, expiresAt, now).changes === 1);
  }

  async revoke(name: string, at: number): Promise<OperatorRecord | undefined> {
    await this.#db.transaction(() => this.#db.run('UPDATE operators SET revoked_at = coalesce(revoked_at, ?) WHERE name = ?', at, name));
    return this.#db.get<OperatorRecord>(`SELECT ${COLUMNS} FROM operators WHERE name = ?`, name);
  }

  async deleteDead(name: string, now: number): Promise<void> {
    await this.#db.transaction(() => this.#db.run(`DELETE FROM operators WHERE name = ? AND ${IS_DEAD}`, name, now));
  }

  async recordUse(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.#db.transaction(() => {
      for (const [name, at] of uses)
        this.#db.run('UPDATE operators SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE name = ?', at, name);
    });
  }
}
