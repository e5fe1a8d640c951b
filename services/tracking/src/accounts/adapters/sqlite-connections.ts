import type { ConnectionLimits } from '@parcelway/contracts/carrier-connection-api';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { registrationsOf } from '../domain/call-ledger.ts';
import { type GrantedLimits, grantedLimits, writtenLimits } from '../domain/granted-limits.ts';
import type { ConnectionStore, StoredConnection } from '../ports.ts';

interface Row {
  readonly connection_id: string;
  readonly tenant_id: string | null;
  readonly source: string;
  readonly base_url: string | null;
  /** JSON list. */
  readonly carriers: string;
  readonly sealed_credentials: string;
  readonly created_at: number;
  readonly updated_at: number;
  /** JSON object. */
  readonly limits: string | null;
}

function connectionOf(row: Row): StoredConnection {
  return {
    connectionId: row.connection_id,
    tenantId: row.tenant_id,
    source: row.source,
    baseUrl: row.base_url,
    carriers: JSON.parse(row.carriers) as string[],
    limits: row.limits === null ? null : grantedLimits(JSON.parse(row.limits) as ConnectionLimits),
    sealedCredentials: row.sealed_credentials,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const limitsText = (limits: GrantedLimits | null): string | null => (limits === null ? null : JSON.stringify(writtenLimits(limits)));

const INSERT = `INSERT INTO connections (connection_id, tenant_id, source, base_url, carriers, limits, sealed_credentials, created_at, updated_at)
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE (SELECT count(*) FROM connections WHERE tenant_id IS ?) < ?
  ON CONFLICT DO NOTHING`;

const REPLACE = `UPDATE connections SET base_url = ?, carriers = ?, limits = ?, sealed_credentials = ?, updated_at = ?
  WHERE connection_id = ? AND sealed_credentials = ? AND updated_at = ?`;

/** Connections in the service's SQLite file. */
export function createSqliteConnections(db: SqliteDatabase): ConnectionStore {
  return {
    insert: (one, limit) =>
      db.transaction(() => {
        const { connectionId, tenantId, source, baseUrl, carriers, limits, sealedCredentials, createdAt, updatedAt } = one;
        const account = [connectionId, tenantId, source, baseUrl, JSON.stringify(carriers), limitsText(limits)];
        return db.run(INSERT, ...account, sealedCredentials, createdAt, updatedAt, tenantId, limit).changes === 1;
      }),

    async list(tenantId) {
      return db
        .all<Row>('SELECT * FROM connections WHERE tenant_id IS ? ORDER BY created_at, connection_id', tenantId)
        .map((row) => connectionOf(row));
    },

    async get(connectionId) {
      const row = db.get<Row>('SELECT * FROM connections WHERE connection_id = ?', connectionId);
      return row && connectionOf(row);
    },

    async page(after, limit) {
      return db
        .all<Row>('SELECT * FROM connections WHERE connection_id > ? ORDER BY connection_id LIMIT ?', after ?? '', limit)
        .map((row) => connectionOf(row));
    },

    replace: (before, after) =>
      db.transaction(() => {
        const set = [after.baseUrl, JSON.stringify(after.carriers), limitsText(after.limits), after.sealedCredentials, after.updatedAt];
        return db.run(REPLACE, ...set, before.connectionId, before.sealedCredentials, before.updatedAt).changes === 1;
      }),

    remove: (tenantId, connectionId) =>
      db.transaction(() => {
        const isRemoved =
          db.run('DELETE FROM connections WHERE connection_id = ? AND tenant_id IS ?', connectionId, tenantId).changes === 1;
        if (isRemoved) db.run('DELETE FROM call_ledgers WHERE connection_id IN (?, ?)', connectionId, registrationsOf(connectionId));
        return isRemoved;
      }),
  };
}
