import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Endpoint } from '../domain/endpoint.ts';
import type { EndpointStore } from '../ports.ts';
import { type EndpointRow, endpointOf } from './sqlite-rows.ts';

const ONE = 'SELECT * FROM endpoints WHERE tenant_id = ? AND endpoint_id = ? AND deleted = 0';
const ALL = 'SELECT * FROM endpoints WHERE tenant_id = ? AND deleted = 0 ORDER BY created_at, endpoint_id';

/** An endpoint that is not deleted, or undefined. */
export function readEndpoint(db: SqliteDatabase, tenantId: string, endpointId: string): Endpoint | undefined {
  const row = db.get<EndpointRow>(ONE, tenantId, endpointId);
  return row && endpointOf(row);
}

/** The endpoints of a tenant, oldest first. Bounded by the number a tenant may have. */
export function readEndpoints(db: SqliteDatabase, tenantId: string): Endpoint[] {
  return db.all<EndpointRow>(ALL, tenantId).map(endpointOf);
}

/** Writes an endpoint, new or changed. Only inside a transaction. */
export function writeEndpoint(db: SqliteDatabase, endpoint: Endpoint): void {
  db.run(
    `INSERT OR REPLACE INTO endpoints (tenant_id, endpoint_id, url, event_types, description, filter, headers, metadata, rate_limit,
       status, disabled_reason, paused_at, disabling_to_tell, circuit, secret, former_secret, former_secret_until, failing_since,
       created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    endpoint.tenantId,
    endpoint.endpointId,
    endpoint.url,
    JSON.stringify(endpoint.eventTypes),
    endpoint.description,
    JSON.stringify(endpoint.filter),
    JSON.stringify(endpoint.headers),
    JSON.stringify(endpoint.metadata),
    endpoint.rateLimit,
    endpoint.status,
    endpoint.disabledReason,
    endpoint.pausedAt,
    endpoint.disablingToTell,
    endpoint.circuit === null ? null : JSON.stringify(endpoint.circuit),
    endpoint.secret,
    endpoint.formerSecret,
    endpoint.formerSecretUntil,
    endpoint.failingSince,
    endpoint.createdAt,
    endpoint.updatedAt,
  );
}

/** The endpoints in SQLite. */
export function createSqliteEndpoints(db: SqliteDatabase): EndpointStore {
  return {
    insert: (endpoint, max) =>
      db.transaction(() => {
        // Transactions of the file run one after the other, so nobody can add one between the count and the insert.
        const row = db.get<{ count: number }>(
          'SELECT count(*) AS count FROM endpoints WHERE tenant_id = ? AND deleted = 0',
          endpoint.tenantId,
        );
        if ((row?.count ?? 0) >= max) return false;
        writeEndpoint(db, endpoint);
        return true;
      }),
    list: async (tenantId) => readEndpoints(db, tenantId),
    get: async (tenantId, endpointId) => readEndpoint(db, tenantId, endpointId),
    present: async (known) => known.flatMap(({ tenantId, endpointId }) => readEndpoint(db, tenantId, endpointId) ?? []),
    update: (tenantId, endpointId, change) =>
      db.transaction(() => {
        const current = readEndpoint(db, tenantId, endpointId);
        if (!current) return undefined;
        const changed = change(current);
        writeEndpoint(db, changed);
        return changed;
      }),
    remove: (tenantId, endpointId) =>
      db.transaction(() => {
        const sql =
          "UPDATE endpoints SET deleted = 1, secret = '', former_secret = NULL WHERE tenant_id = ? AND endpoint_id = ? AND deleted = 0";
        return db.run(sql, tenantId, endpointId).changes > 0;
      }),
  };
}
