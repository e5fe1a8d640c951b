import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ListPosition } from '@parcelway/kernel/list-position';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import type { TenantRecord } from '../tenants/domain/records.ts';
import type { TenantStore } from '../tenants/ports.ts';

const COLUMNS = 'id, name, status, created_at AS createdAt';

/** Merchants in SQLite. */
export class SqliteTenants implements TenantStore {
  readonly #db: SqliteDatabase;
  readonly #outbox: SqliteOutbox;

  /** @param outbox over the same database */
  constructor(db: SqliteDatabase, outbox: SqliteOutbox) {
    this.#db = db;
    this.#outbox = outbox;
  }

  async add(tenant: TenantRecord): Promise<void> {
    const { id, name, status, createdAt } = tenant;
    await this.#db.transaction(() => {
      this.#db.run('INSERT INTO tenants (id, name, status, created_at) VALUES (?, ?, ?, ?)', id, name, status, createdAt);
    });
  }

  async find(id: string): Promise<TenantRecord | undefined> {
    return this.#db.get<TenantRecord>(`SELECT ${COLUMNS} FROM tenants WHERE id = ?`, id);
  }

  async list(limit: number, after?: ListPosition): Promise<TenantRecord[]> {
    const behind = after === undefined ? '' : 'WHERE (created_at, id) > (?, ?)';
    const sql = `SELECT ${COLUMNS} FROM tenants INDEXED BY tenants_oldest ${behind} ORDER BY created_at, id LIMIT ?`;
    return this.#db.all<TenantRecord>(sql, ...(after === undefined ? [] : [after.createdAt, after.id]), limit);
  }

  async startingWith(text: string, limit: number): Promise<TenantRecord[]> {
    // The last character of Unicode ends what begins with the text.
    const sql = `SELECT ${COLUMNS} FROM tenants INDEXED BY tenants_by_name WHERE name >= ? AND name < ? ORDER BY name LIMIT ?`;
    return this.#db.all<TenantRecord>(sql, text, `${text}\u{10ffff}`, limit);
  }

  async named(name: string, limit: number): Promise<TenantRecord[]> {
    return this.#db.all<TenantRecord>(`SELECT ${COLUMNS} FROM tenants WHERE name = ? LIMIT ?`, name, limit);
  }

  async rename(id: string, name: string): Promise<TenantRecord | undefined> {
    await this.#db.transaction(() => this.#db.run('UPDATE tenants SET name = ? WHERE id = ?', name, id));
    return this.find(id);
  }

  async setStatus(id: string, status: TenantRecord['status'], message?: EncodedMessage): Promise<TenantRecord | undefined> {
    await this.#db.transaction(() => {
      const isWritten = this.#db.run('UPDATE tenants SET status = ? WHERE id = ?', status, id).changes === 1;
      if (isWritten && message !== undefined) this.#outbox.append(message);
    });
    return this.find(id);
  }
}
