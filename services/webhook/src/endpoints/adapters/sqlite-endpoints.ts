import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { type Endpoint, idInUse } from '../domain/endpoint.ts';
import type { EndpointStore } from '../ports.ts';
import { type EndpointRow, endpointOf } from './sqlite-endpoint-rows.ts';

const ALL = 'SELECT * FROM endpoints WHERE tenant_id = ? AND deleted = 0 ORDER BY created_at, endpoint_id';
const ONE = 'SELECT * FROM endpoints WHERE tenant_id = ? AND endpoint_id = ? AND deleted = 0';
const REMOVE =
  "UPDATE endpoints SET deleted = 1, secret = '', former_secret = NULL WHERE tenant_id = ? AND endpoint_id = ? AND deleted = 0";

export class EndpointTable {
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /** The endpoints of a tenant that are not deleted, oldest first. Bounded by the number a tenant may have. */
  list(tenantId: string): readonly Endpoint[] {
    return this.#db.all<EndpointRow>(ALL, tenantId).map(endpointOf);
  }

  /** An endpoint that is not deleted, or undefined. */
  get(tenantId: string, endpointId: string): Endpoint | undefined {
    const row = this.#db.get<EndpointRow>(ONE, tenantId, endpointId);
    return row && endpointOf(row);
  }

  /** True when there is an endpoint with the id, or one was removed whose deliveries are not all deleted yet. */
  hasId({ tenantId, endpointId }: Endpoint): boolean {
    return this.#db.get('SELECT 1 FROM endpoints WHERE tenant_id = ? AND endpoint_id = ?', tenantId, endpointId) !== undefined;
  }

  /** Writes an endpoint, new or changed. Only inside a transaction. */
  write(endpoint: Endpoint): void {
    writeEndpoint(this.#db, endpoint);
  }

  /** Makes an endpoint vanish, and its secrets with it. Only inside a transaction. @returns false when there is none */
  remove(tenantId: string, endpointId: string): boolean {
    return this.#db.run(REMOVE, tenantId, endpointId).changes > 0;
  }
}

function writeEndpoint(db: SqliteDatabase, endpoint: Endpoint): void {
  db.run(
    `INSERT OR REPLACE INTO endpoints (tenant_id, endpoint_id, url, event_types, description, filter, headers, metadata, rate_limit, payload,
       status, disabled_reason, paused_at, disabling_to_publish, circuit, slowed_until, secret, former_secret, former_secret_until,
       failing_since, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    endpoint.tenantId,
    endpoint.endpointId,
    endpoint.url,
    JSON.stringify(endpoint.eventTypes),
    endpoint.description,
    JSON.stringify(endpoint.filter),
    JSON.stringify(endpoint.headers),
    JSON.stringify(endpoint.metadata),
    endpoint.rateLimit,
    endpoint.payload,
    endpoint.status,
    endpoint.disabledReason,
    endpoint.pausedAt,
    endpoint.disablingToPublish,
    endpoint.circuit === null ? null : JSON.stringify(endpoint.circuit),
    endpoint.slowedUntil,
    endpoint.secret,
    endpoint.formerSecret,
    endpoint.formerSecretUntil,
    endpoint.failingSince,
    endpoint.createdAt,
    endpoint.updatedAt,
  );
}

export function createSqliteEndpoints(db: SqliteDatabase, table: EndpointTable): EndpointStore {
  return {
    insert: (endpoint, max) =>
      db.transaction(() => {
        // Transactions of the file run one after the other, so nobody can add one between the count and the insert.
        if (table.list(endpoint.tenantId).length >= max) return false;
        if (table.hasId(endpoint)) throw idInUse();
        table.write(endpoint);
        return true;
      }),
    list: async (tenantId) => table.list(tenantId),
    get: async (tenantId, endpointId) => table.get(tenantId, endpointId),
    present: async (known) => known.flatMap(({ tenantId, endpointId }) => table.get(tenantId, endpointId) ?? []),
    update: (tenantId, endpointId, change) =>
      db.transaction(() => {
        const current = table.get(tenantId, endpointId);
        if (!current) return undefined;
        const changed = change(current);
        table.write(changed);
        return changed;
      }),
    remove: (tenantId, endpointId) => db.transaction(() => table.remove(tenantId, endpointId)),
  };
}
