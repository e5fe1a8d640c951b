import type { ListedRecord, TenantData } from '@parcelway/kernel/tenant-data';
import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import { sqliteKind, TENANT_BATCH } from '@parcelway/sqlite/tenant-data';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { deliveryDays, usageKind } from '@parcelway/store/shared/usage-days';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import type { EndpointTable } from '../../endpoints/adapters/sqlite-endpoints.ts';

type Row = Readonly<Record<string, SqlValue>>;

const ENDPOINTS = `SELECT endpoint_id, url, event_types, description, filter, metadata, rate_limit, payload, status, disabled_reason, paused_at,
    failing_since, created_at, updated_at, deleted FROM endpoints WHERE tenant_id = ? AND endpoint_id > ? ORDER BY endpoint_id LIMIT ?`;
const SOME_ENDPOINTS = 'SELECT endpoint_id FROM endpoints WHERE tenant_id = ? LIMIT ?';
const DELIVERIES = `SELECT position, delivery_id, endpoint_id, event_id, event_type, po_number, iif(status = 'sending', 'pending', status) AS status,
    attempt_count, next_attempt_at, next_reason, last_status_code, created_at FROM deliveries INDEXED BY deliveries_by_endpoint
  WHERE tenant_id = ? AND endpoint_id = ? AND position > ? ORDER BY position LIMIT ?`;
const NEXT_ENDPOINT = `SELECT endpoint_id FROM deliveries INDEXED BY deliveries_by_endpoint
  WHERE tenant_id = ? AND endpoint_id > ? ORDER BY endpoint_id LIMIT 1`;
const SOME_DELIVERIES = 'SELECT position FROM deliveries INDEXED BY deliveries_by_endpoint WHERE tenant_id = ? LIMIT ?';
const ATTEMPTS = `SELECT attempt_number, attempt_id, url, started_at, duration_ms, outcome, status_code, error, error_code, retry_after,
    response_body FROM attempts WHERE delivery_position = ? ORDER BY attempt_number`;
const EVENT_COLUMNS = 'position, event_id, forecast_no, event_seq, type, po_number, body, occurred_at, created_at';
/** Each stream has an index of its own. */
const EVENTS = [
  `SELECT ${EVENT_COLUMNS} FROM events INDEXED BY events_feed WHERE stream = 0 AND tenant_id = ? AND position > ? ORDER BY position LIMIT ?`,
  `SELECT ${EVENT_COLUMNS} FROM events INDEXED BY events_test WHERE stream = 1 AND tenant_id = ? AND position > ? ORDER BY position LIMIT ?`,
  `SELECT ${EVENT_COLUMNS} FROM events INDEXED BY events_opt_in WHERE stream = 2 AND tenant_id = ? AND position > ? ORDER BY position LIMIT ?`,
];
const SOME_EVENTS = [
  'SELECT position FROM events INDEXED BY events_feed WHERE stream = 0 AND tenant_id = ? LIMIT ?',
  'SELECT position FROM events INDEXED BY events_test WHERE stream = 1 AND tenant_id = ? LIMIT ?',
  'SELECT position FROM events INDEXED BY events_opt_in WHERE stream = 2 AND tenant_id = ? LIMIT ?',
];
const SEQUENCES = `SELECT forecast_no, last_seq, last_opt_in_seq FROM forecast_sequences
  WHERE tenant_id = ? AND forecast_no > ? ORDER BY forecast_no LIMIT ?`;

const parsed = (json: SqlValue | undefined): unknown => (typeof json === 'string' ? JSON.parse(json) : null);

/** Deletes some deliveries with their attempts. Only inside a transaction. */
function eraseDeliveries(db: SqliteDatabase, tenantId: string): number {
  const rows = db.all<{ position: number }>(SOME_DELIVERIES, tenantId, TENANT_BATCH);
  for (const { position } of rows) {
    db.run('DELETE FROM attempts WHERE delivery_position = ?', position);
    db.run('DELETE FROM deliveries WHERE position = ?', position);
  }
  return rows.length;
}

/** Deletes some events, stream by stream. Only inside a transaction. */
function eraseEvents(db: SqliteDatabase, tenantId: string): number {
  for (const some of SOME_EVENTS) {
    const rows = db.all<{ position: number }>(some, tenantId, TENANT_BATCH);
    for (const { position } of rows) db.run('DELETE FROM events WHERE position = ?', position);
    if (rows.length > 0) return rows.length;
  }
  return 0;
}

/** Some deliveries behind a place, endpoint by endpoint. */
function listDeliveries(db: SqliteDatabase, tenantId: string, after: string | null): readonly ListedRecord[] {
  const start = after === null ? (['', 0] as const) : (JSON.parse(after) as [string, number]);
  for (let [endpointId, from]: readonly [string, number] = start; ; ) {
    const rows = db.all<Row>(DELIVERIES, tenantId, endpointId, from, TENANT_BATCH);
    if (rows.length > 0) {
      return rows.map(({ position = 0, ...row }) => ({
        cursor: JSON.stringify([row['endpoint_id'], position]),
        record: { ...row, attempts: db.all<Row>(ATTEMPTS, position) },
      }));
    }
    const next = db.get<{ endpoint_id: string }>(NEXT_ENDPOINT, tenantId, endpointId);
    if (next === undefined) return [];
    endpointId = next.endpoint_id;
    from = 0;
  }
}

/** Some events behind a place, stream by stream. */
function listEvents(db: SqliteDatabase, tenantId: string, after: string | null): readonly ListedRecord[] {
  const [first, from] = after === null ? [0, 0] : (JSON.parse(after) as [number, number]);
  for (let stream = first; stream < EVENTS.length; stream += 1) {
    const rows = db.all<Row>(EVENTS[stream] as string, tenantId, stream === first ? from : 0, TENANT_BATCH);
    if (rows.length === 0) continue;
    return rows.map(({ position, body, ...row }) => ({
      cursor: JSON.stringify([stream, position]),
      record: { ...row, body: parsed(body) },
    }));
  }
  return [];
}

/** Deletes some endpoints. Nothing is sent to them from then on. Only inside a transaction. */
function eraseEndpoints(db: SqliteDatabase, endpoints: Pick<EndpointTable, 'remove'>, tenantId: string): number {
  const rows = db.all<{ endpoint_id: string }>(SOME_ENDPOINTS, tenantId, TENANT_BATCH);
  for (const { endpoint_id } of rows) {
    endpoints.remove(tenantId, endpoint_id);
    db.run('DELETE FROM endpoints WHERE tenant_id = ? AND endpoint_id = ?', tenantId, endpoint_id);
  }
  return rows.length;
}

/**
 * What the service stores about tenants, in its SQLite file. Headers that merchants set may contain secrets, so they are not listed.
 * @param db has the migrations of the service
 * @param endpoints caches rows of the same file
 */
export function createSqliteTenantData(db: SqliteDatabase, endpoints: Pick<EndpointTable, 'remove'>): TenantData {
  return {
    kinds: [
      sqliteKind(db, {
        name: 'endpoints',
        list: (tenantId, after) =>
          db.all<Row>(ENDPOINTS, tenantId, after ?? '', TENANT_BATCH).map(({ deleted, event_types, filter, metadata, ...row }) => ({
            cursor: String(row['endpoint_id']),
            record: {
              ...row,
              event_types: parsed(event_types),
              filter: parsed(filter),
              metadata: parsed(metadata),
              is_deleted: deleted === 1,
            },
          })),
        erase: (tenantId) => eraseEndpoints(db, endpoints, tenantId),
      }),
      sqliteKind(db, {
        name: 'deliveries',
        list: (tenantId, after) => listDeliveries(db, tenantId, after),
        erase: (tenantId) => eraseDeliveries(db, tenantId),
      }),
      sqliteKind(db, {
        name: 'events',
        list: (tenantId, after) => listEvents(db, tenantId, after),
        erase: (tenantId) => eraseEvents(db, tenantId),
      }),
      sqliteKind(db, {
        name: 'sequences',
        list: (tenantId, after) =>
          db.all<Row>(SEQUENCES, tenantId, after ?? '', TENANT_BATCH).map((row) => ({ cursor: String(row['forecast_no']), record: row })),
        erase: (tenantId) =>
          db.run(
            'DELETE FROM forecast_sequences WHERE rowid IN (SELECT rowid FROM forecast_sequences WHERE tenant_id = ? LIMIT ?)',
            tenantId,
            TENANT_BATCH,
          ).changes,
      }),
      idempotencyKind(createSqliteStore({ db })),
      usageKind(createSqliteStore({ db })),
      usageKind(createSqliteStore({ db }), 'delivery_figures', deliveryDays),
    ],
    erased: createErasedTenants(createSqliteStore({ db })),
  };
}
