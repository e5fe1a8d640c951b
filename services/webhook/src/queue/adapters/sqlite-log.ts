import type { AttemptErrorCode } from '@parcelway/contracts/webhook-delivery-api';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { InFlightDeliveries } from '../../intake/adapters/sqlite-in-flight.ts';
import { type DeliveryRow, deliveryOf } from '../../intake/adapters/sqlite-rows.ts';
import type { DeliveryStatus } from '../../intake/domain/delivery.ts';
import type { Attempt } from '../domain/attempt.ts';
import type { DeliveryLog } from '../ports.ts';

interface AttemptRow {
  readonly attempt_id: string;
  readonly attempt_number: number;
  readonly url: string;
  readonly started_at: number;
  readonly duration_ms: number;
  readonly outcome: Attempt['outcome'];
  readonly status_code: number | null;
  readonly error: string | null;
  readonly error_code: AttemptErrorCode | null;
  readonly retry_after: string | null;
  readonly response_body: string | null;
}

const ATTEMPTS = `SELECT * FROM (SELECT * FROM attempts
    WHERE delivery_position = (SELECT position FROM deliveries WHERE tenant_id = ? AND delivery_id = ?) ORDER BY attempt_number DESC LIMIT ?)
  ORDER BY attempt_number`;

/**
 * Rows of a status. Those that have not succeeded have an index of their own, named because the planner, which knows no
 * numbers, would rather walk all deliveries of the endpoint; its condition is repeated, because it has to be found in the query.
 */
const UNFINISHED =
  "deliveries INDEXED BY deliveries_unfinished WHERE tenant_id = ? AND endpoint_id = ? AND status NOT IN ('succeeded', 'sending') AND status =";
const ROWS: Readonly<Record<DeliveryStatus | 'all', string>> = {
  all: 'deliveries WHERE tenant_id = ? AND endpoint_id = ?',
  pending: `${UNFINISHED} 'pending'`,
  held: `${UNFINISHED} 'held'`,
  failed: `${UNFINISHED} 'failed'`,
  succeeded: "deliveries WHERE tenant_id = ? AND endpoint_id = ? AND status = 'succeeded'",
};

/** The query of a page: tenant, endpoint, position before which it begins, rows. */
function pageQuery(status: DeliveryStatus | undefined): string {
  return `SELECT * FROM ${ROWS[status ?? 'all']} AND position < ? ORDER BY position DESC LIMIT ?`;
}

const AT = 'SELECT * FROM deliveries WHERE position = ?';

/** What deliveries came to, in SQLite. What was read is on the disk before it is shown. */
export function createSqliteLog(db: SqliteDatabase, inFlight: InFlightDeliveries): DeliveryLog {
  /** Pending ones that the index does not have, newest first. */
  const inFlightBefore = (tenantId: string, endpointId: string, before: number, limit: number): DeliveryRow[] => {
    const positions = inFlight.at(tenantId, endpointId).flatMap(({ position }) => (position < before ? position : []));
    const rows = positions.slice(-limit).flatMap((position) => db.get<DeliveryRow>(AT, position) ?? []);
    return rows.filter(({ status }) => status === 'sending').reverse();
  };
  return {
    async list(tenantId, endpointId, { status, limit, before: place }) {
      const before = Number(place ?? Number.MAX_SAFE_INTEGER);
      const rows = db.all<DeliveryRow>(pageQuery(status), tenantId, endpointId, before, limit + 1);
      if (status === 'pending') {
        rows.push(...inFlightBefore(tenantId, endpointId, before, limit + 1));
        rows.sort((a, b) => b.position - a.position);
      }
      await db.flushed();
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return { deliveries: page.map(deliveryOf), next: last ? String(last.position) : null };
    },
    async get(tenantId, endpointId, deliveryId) {
      const sql = 'SELECT * FROM deliveries WHERE tenant_id = ? AND delivery_id = ? AND endpoint_id = ?';
      const row = db.get<DeliveryRow>(sql, tenantId, deliveryId, endpointId);
      await db.flushed();
      return row && deliveryOf(row);
    },
    async ofEvent(tenantId, endpointId, eventId) {
      const sql = 'SELECT * FROM deliveries WHERE event_id = ? AND tenant_id = ? AND endpoint_id = ?';
      const row = db.get<DeliveryRow>(sql, eventId, tenantId, endpointId);
      await db.flushed();
      return row && deliveryOf(row);
    },
    async body(tenantId, eventId) {
      return db.get<{ body: string }>('SELECT body FROM events WHERE tenant_id = ? AND event_id = ?', tenantId, eventId)?.body;
    },
    async attempts(tenantId, _endpointId, deliveryId, limit) {
      const rows = db.all<AttemptRow>(ATTEMPTS, tenantId, deliveryId, limit);
      await db.flushed();
      return rows.map((row) => ({
        attemptId: row.attempt_id,
        attemptNumber: row.attempt_number,
        url: row.url,
        startedAt: row.started_at,
        durationMs: row.duration_ms,
        outcome: row.outcome,
        statusCode: row.status_code,
        error: row.error,
        errorCode: row.error_code,
        retryAfter: row.retry_after,
        responseBody: row.response_body,
      }));
    },
  };
}
