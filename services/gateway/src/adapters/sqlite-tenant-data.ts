import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import { freePagesKind } from '@parcelway/sqlite/secure-delete';
import { outboxKind, sqliteKind, TENANT_BATCH } from '@parcelway/sqlite/tenant-data';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { usageKind } from '@parcelway/store/shared/usage-days';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';

type Row = Readonly<Record<string, SqlValue>>;

const KEYS = `SELECT key_id, prefix, scopes, rate_limit, description, created_at, expires_at, revoked_at, last_used_at, allowed_addresses, created_by,
  rotated_from, rotated_to FROM keys INDEXED BY keys_by_tenant
  WHERE tenant_id = ? AND (created_at, key_id) > (?, ?) ORDER BY created_at, key_id LIMIT ?`;

const AUDIT = `SELECT entry_id, at, action, actor_type, iif(actor_type = 'operator', NULL, actor_id) AS actor_id, address, resource_type, resource_id, outcome, request_id, session
  FROM audit_entries INDEXED BY audit_entries_by_tenant
  WHERE tenant_id = ? AND (at, entry_id) > (?, ?) ORDER BY at, entry_id LIMIT ?`;

const CALLS = `SELECT call_id, at, request_id, method, route, path, status, code, message, data, key_id, duration_ms
  FROM failed_calls INDEXED BY failed_calls_by_tenant
  WHERE tenant_id = ? AND (at, call_id) > (?, ?) ORDER BY at, call_id LIMIT ?`;

const parsed = (json: SqlValue | undefined): unknown => (typeof json === 'string' ? JSON.parse(json) : null);

/** One of the logs of what tenants do. @param list from the oldest on @param table with an index of the tenant */
function logKind(
  db: SqliteDatabase,
  name: string,
  { list, table, id }: { readonly list: string; readonly table: string; readonly id: string },
): TenantDataKind {
  return sqliteKind(db, {
    name,
    list(tenantId, after) {
      const [at, place] = after === null ? [-1, ''] : (JSON.parse(after) as [number, string]);
      return db
        .all<Row>(list, tenantId, at, place, TENANT_BATCH)
        .map((row) => ({ cursor: JSON.stringify([row['at'], row[id]]), record: row }));
    },
    erase: (tenantId) =>
      db.run(
        `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} INDEXED BY ${table}_by_tenant WHERE tenant_id = ? LIMIT ?)`,
        tenantId,
        TENANT_BATCH,
      ).changes,
  });
}

/** What the gateway stores about tenants, in its SQLite file. Of keys no hash. The account comes last: it leads to the rest. */
export function createSqliteTenantData(db: SqliteDatabase): readonly TenantDataKind[] {
  return [
    sqliteKind(db, {
      name: 'keys',
      list(tenantId, after) {
        const [createdAt, keyId] = after === null ? [-1, ''] : (JSON.parse(after) as [number, string]);
        return db.all<Row>(KEYS, tenantId, createdAt, keyId, TENANT_BATCH).map((row) => ({
          cursor: JSON.stringify([row['created_at'], row['key_id']]),
          record: {
            ...row,
            scopes: parsed(row['scopes']),
            rate_limit: parsed(row['rate_limit']),
            allowed_addresses: parsed(row['allowed_addresses']),
          },
        }));
      },
      erase: (tenantId) =>
        db.run(
          'DELETE FROM keys WHERE rowid IN (SELECT rowid FROM keys INDEXED BY keys_by_tenant WHERE tenant_id = ? LIMIT ?)',
          tenantId,
          TENANT_BATCH,
        ).changes,
    }),
    idempotencyKind(createSqliteStore({ db })),
    logKind(db, 'audit_log', { list: AUDIT, table: 'audit_entries', id: 'entry_id' }),
    logKind(db, 'failed_calls', { list: CALLS, table: 'failed_calls', id: 'call_id' }),
    usageKind(createSqliteStore({ db })),
    outboxKind(db),
    sqliteKind(db, {
      name: 'account',
      list: (tenantId, after) =>
        db
          .all<Row>(
            `SELECT t.id, t.name, t.status, t.created_at, r.forecast_days, r.file_days FROM tenants t
               LEFT JOIN tenant_retentions r ON r.tenant_id = t.id WHERE t.id = ? AND t.id > ?`,
            tenantId,
            after ?? '',
          )
          .map((row) => ({ cursor: tenantId, record: row })),
      erase(tenantId) {
        db.run('DELETE FROM tenant_retentions WHERE tenant_id = ?', tenantId);
        return db.run('DELETE FROM tenants WHERE id = ?', tenantId).changes;
      },
    }),
    freePagesKind(db),
  ];
}
