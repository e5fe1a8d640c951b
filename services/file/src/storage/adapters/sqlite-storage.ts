import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { StoragePage, StoredContents, StoredKind } from '../ports.ts';

const PAGES: Readonly<Record<StoredKind, string>> = {
  pdf: 'SELECT id, size FROM files INDEXED BY files_stored WHERE tenant_id = ? AND id > ? AND hidden_at IS NULL ORDER BY id LIMIT ?',
  image: 'SELECT id, size FROM photos INDEXED BY photos_stored WHERE tenant_id = ? AND id > ? ORDER BY id LIMIT ?',
};

/** Whoever has had files has days of usage: each measurement adds one. */
const NEXT_TENANTS: readonly string[] = [
  'SELECT tenant_id FROM files INDEXED BY files_stored WHERE tenant_id > ? AND hidden_at IS NULL ORDER BY tenant_id LIMIT 1',
  'SELECT tenant_id FROM photos INDEXED BY photos_stored WHERE tenant_id > ? ORDER BY tenant_id LIMIT 1',
  'SELECT "tenantId" AS tenant_id FROM usage_days WHERE "tenantId" > ? ORDER BY "tenantId" LIMIT 1',
];

/** What tenants have stored, in SQLite. */
export class SqliteStorage implements StoredContents {
  readonly #db: SqliteDatabase;

  /** @param db migrated with fileMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async nextTenant(after: string): Promise<string | undefined> {
    const found = NEXT_TENANTS.flatMap((sql) => this.#db.get<{ readonly tenant_id: string }>(sql, after)?.tenant_id ?? []);
    return found.sort()[0];
  }

  async page(tenantId: string, kind: StoredKind, after: string, limit: number): Promise<StoragePage> {
    const rows = this.#db.all<{ readonly id: number; readonly size: number }>(PAGES[kind], tenantId, Number(after), limit);
    return { files: rows.length, bytes: rows.reduce((sum, { size }) => sum + size, 0), last: String(rows.at(-1)?.id ?? '') };
  }
}
