import type { DisabledReason, EndpointPayload } from '@parcelway/contracts/webhook-endpoint-api';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Circuit } from '../domain/circuit.ts';
import { type Endpoint, idInUse } from '../domain/endpoint.ts';
import type { EndpointStore } from '../ports.ts';

/** A row of `endpoints`. Lists and objects are JSON. */
export interface EndpointRow {
  readonly tenant_id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: string;
  readonly description: string;
  readonly status: Endpoint['status'];
  readonly disabled_reason: DisabledReason | null;
  readonly secret: string;
  readonly former_secret: string | null;
  readonly former_secret_until: number | null;
  readonly failing_since: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly deleted: number;
  readonly filter: string;
  readonly headers: string;
  readonly metadata: string;
  readonly rate_limit: number | null;
  readonly payload: EndpointPayload;
  readonly paused_at: number | null;
  readonly disabling_to_publish: number | null;
  readonly circuit: string | null;
  readonly slowed_until: number | null;
}

export function endpointOf(row: EndpointRow): Endpoint {
  return {
    tenantId: row.tenant_id,
    endpointId: row.endpoint_id,
    url: row.url,
    eventTypes: JSON.parse(row.event_types) as Endpoint['eventTypes'],
    description: row.description,
    filter: JSON.parse(row.filter) as Endpoint['filter'],
    headers: JSON.parse(row.headers) as Endpoint['headers'],
    metadata: JSON.parse(row.metadata) as Endpoint['metadata'],
    rateLimit: row.rate_limit,
    payload: row.payload,
    status: row.status,
    disabledReason: row.disabled_reason,
    pausedAt: row.paused_at,
    disablingToPublish: row.disabling_to_publish,
    circuit: row.circuit === null ? null : (JSON.parse(row.circuit) as Circuit),
    slowedUntil: row.slowed_until,
    secret: row.secret,
    formerSecret: row.former_secret,
    formerSecretUntil: row.former_secret_until,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const ALL = 'SELECT * FROM endpoints WHERE tenant_id = ? AND deleted = 0 ORDER BY created_at, endpoint_id';
const REMOVE =
  "UPDATE endpoints SET deleted = 1, secret = '', former_secret = NULL WHERE tenant_id = ? AND endpoint_id = ? AND deleted = 0";

/** Tenants whose endpoints are cached; the oldest is evicted first. */
const MAX_TENANTS = 5_000;

/**
 * The endpoints in the file, with a cache by tenant: every event and every result looks them up, and they seldom change. Only this process writes
 * to the file, and it changes live rows through this class alone.
 */
export class EndpointTable {
  readonly #db: SqliteDatabase;
  readonly #cache = new Map<string, readonly Endpoint[]>();
  /** `rollbacks` of the database when the cache was last valid. */
  #rollbacks = 0;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /** The endpoints of a tenant that are not deleted, oldest first. Bounded by the number a tenant may have. */
  list(tenantId: string): readonly Endpoint[] {
    if (this.#rollbacks !== this.#db.rollbacks) {
      this.#cache.clear();
      this.#rollbacks = this.#db.rollbacks;
    }
    const cached = this.#cache.get(tenantId);
    if (cached) return cached;
    const read = this.#db.all<EndpointRow>(ALL, tenantId).map(endpointOf);
    // Clients can make up any number of tenants without endpoints.
    if (read.length === 0) return read;
    if (this.#cache.size >= MAX_TENANTS) this.#cache.delete(this.#cache.keys().next().value as string);
    this.#cache.set(tenantId, read);
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
    this.#cache.delete(endpoint.tenantId);
    writeEndpoint(this.#db, endpoint);
  }

  /** Makes an endpoint vanish, and its secrets with it. Only inside a transaction. @returns false when there is none */
  remove(tenantId: string, endpointId: string): boolean {
    this.#cache.delete(tenantId);
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
