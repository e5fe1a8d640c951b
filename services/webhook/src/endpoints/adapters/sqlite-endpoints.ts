import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { type Endpoint, idInUse } from '../domain/endpoint.ts';
import type { EndpointStore } from '../ports.ts';
import { type EndpointRow, endpointOf } from './sqlite-endpoint-rows.ts';

const ALL = 'SELECT * FROM endpoints WHERE tenant_id = ? AND deleted = 0 ORDER BY created_at, endpoint_id';
const REMOVE =
  "UPDATE endpoints SET deleted = 1, secret = '', former_secret = NULL WHERE tenant_id = ? AND endpoint_id = ? AND deleted = 0";

/** Tenants whose endpoints are kept in memory; the oldest goes first. */
const MAX_TENANTS = 5_000;

/**
 * The endpoints in the file, those of tenants that have been asked for in memory as well: they are looked up for every event and every result, and
 * change seldom. The file belongs to this process, and all that is written to the table is written here.
 */
export class EndpointTable {
  readonly #db: SqliteDatabase;
  readonly #known = new Map<string, readonly Endpoint[]>();
  /** What is known was read when as much had been undone. */
  #rollbacks = 0;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /** The endpoints of a tenant that are not deleted, oldest first. Bounded by the number a tenant may have. */
  list(tenantId: string): readonly Endpoint[] {
    if (this.#rollbacks !== this.#db.rollbacks) {
      this.#known.clear();
      this.#rollbacks = this.#db.rollbacks;
    }
    const known = this.#known.get(tenantId);
    if (known) return known;
    const read = this.#db.all<EndpointRow>(ALL, tenantId).map(endpointOf);
    // Tenants that are not there can be made up without end.
    if (read.length === 0) return read;
    if (this.#known.size >= MAX_TENANTS) this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(tenantId, read);
    return read;
  }

  /** An endpoint that is not deleted, or undefined. */
  get(tenantId: string, endpointId: string): Endpoint | undefined {
    return this.list(tenantId).find((endpoint) => endpoint.endpointId === endpointId);
  }

  /** True when there is an endpoint with the id, or one was removed whose deliveries are not all deleted yet. */
  hasId({ tenantId, endpointId }: Endpoint): boolean {
    return this.#db.get('SELECT 1 FROM endpoints WHERE tenant_id = ? AND endpoint_id = ?', tenantId, endpointId) !== undefined;
  }

  /** Writes an endpoint, new or changed. Only inside a transaction. */
  write(endpoint: Endpoint): void {
    this.#known.delete(endpoint.tenantId);
    writeEndpoint(this.#db, endpoint);
  }

  /** Makes an endpoint vanish, and its secrets with it. Only inside a transaction. @returns false when there is none */
  remove(tenantId: string, endpointId: string): boolean {
    this.#known.delete(tenantId);
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

/** The endpoints in SQLite. */
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
