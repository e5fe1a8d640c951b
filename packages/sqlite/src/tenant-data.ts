import type { ErasedTenant, ErasedTenantStore, ListedRecord, TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { SqliteDatabase } from './database.ts';
import { eraseRows } from './secure-delete.ts';

/** Rows that one step reads or deletes: few milliseconds, so that other work is not held up. */
export const TENANT_BATCH = 100;

/** A kind of data of a tenant in a SQLite file; see TenantDataKind. */
export interface SqliteKind {
  readonly name: string;
  readonly list?: (tenantId: string, after: string | null) => readonly ListedRecord[];
  /** Runs in a transaction. @returns how many rows it has deleted */
  readonly erase?: (tenantId: string) => number;
}

/** The kind over a file. Each step is one transaction, which overwrites what it deletes. */
export function sqliteKind(db: SqliteDatabase, { name, list, erase }: SqliteKind): TenantDataKind {
  return {
    name,
    ...(list && { list: async (tenantId: string, after: string | null) => list(tenantId, after) }),
    ...(erase && { erase: (tenantId: string) => eraseRows(db, () => erase(tenantId)) }),
  };
}

/** Messages of a tenant that are not published yet. Their keys begin with the tenant and a slash. */
export function outboxKind(db: SqliteDatabase): TenantDataKind {
  return sqliteKind(db, {
    name: 'outbox',
    erase: (tenantId) =>
      db.run(
        'DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE key > ? AND key < ? LIMIT ?)',
        `${tenantId}/`,
        `${tenantId}0`,
        TENANT_BATCH,
      ).changes,
  });
}

interface KeyRow {
  readonly route: string;
  readonly key: string;
  readonly created_at: number;
  readonly status: number | null;
}

/** Idempotency keys of a tenant. Responses are not listed: they may contain a secret. */
export function idempotencyKind(db: SqliteDatabase): TenantDataKind {
  return sqliteKind(db, {
    name: 'idempotency_keys',
    list(tenantId, after) {
      const [route = '', key = ''] = after === null ? [] : (JSON.parse(after) as string[]);
      return db
        .all<KeyRow>(
          `SELECT route, key, created_at, status FROM idempotency_keys WHERE owner_id = ? AND (route, key) > (?, ?)
           ORDER BY route, key LIMIT ?`,
          tenantId,
          route,
          key,
          TENANT_BATCH,
        )
        .map((row) => ({ cursor: JSON.stringify([row.route, row.key]), record: { ...row } }));
    },
    erase: (tenantId) =>
      db.run(
        'DELETE FROM idempotency_keys WHERE id IN (SELECT id FROM idempotency_keys WHERE owner_id = ? LIMIT ?)',
        tenantId,
        TENANT_BATCH,
      ).changes,
  });
}

/** Erased tenants in a SQLite file. */
export class SqliteErasedTenants implements ErasedTenantStore {
  /** Table of the tenants; one entry of the owner's migration list. */
  static readonly schema = `CREATE TABLE erased_tenants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL UNIQUE,
    erased_at INTEGER NOT NULL
  ) STRICT`;

  readonly #db: SqliteDatabase;

  /** @param db database whose migrations include {@link SqliteErasedTenants.schema} */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async remember(tenantId: string, at: number): Promise<void> {
    await this.#db.transaction(() =>
      this.#db.run('INSERT INTO erased_tenants (tenant_id, erased_at) VALUES (?, ?) ON CONFLICT (tenant_id) DO NOTHING', tenantId, at),
    );
  }

  async list(after: string | null): Promise<readonly ErasedTenant[]> {
    return this.#db
      .all<{ id: number; tenant_id: string }>(
        'SELECT id, tenant_id FROM erased_tenants WHERE id > ? ORDER BY id LIMIT 1000',
        Number(after ?? 0),
      )
      .map(({ id, tenant_id }) => ({ tenantId: tenant_id, cursor: String(id) }));
  }
}
