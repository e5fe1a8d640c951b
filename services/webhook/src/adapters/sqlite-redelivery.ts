import type { SentEventType } from '@parcelway/contracts/webhook-api';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Delivery } from '../domain/delivery.ts';
import type { Redelivery, ReplayPosition } from '../ports.ts';
import { insertDelivery } from './sqlite-intake.ts';
import { type DeliveryRow, deliveryOf, type StoredStatus } from './sqlite-rows.ts';

interface EventRow {
  readonly position: number;
  readonly event_id: string;
  readonly type: SentEventType;
  readonly po_number: string | null;
  readonly body: string;
  readonly occurred_at: number;
  readonly delivery_position: number | null;
  readonly status: StoredStatus | null;
  readonly next_attempt_at: number | null;
}

const EVENTS = `SELECT e.position, e.event_id, e.type, e.po_number, e.body, e.occurred_at, d.position AS delivery_position, d.status, d.next_attempt_at
  FROM events e LEFT JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.event_id = e.event_id AND d.endpoint_id = ?
  WHERE e.tenant_id = ? AND (e.occurred_at, e.position) > (?, ?) AND e.occurred_at < ? AND e.test = 0
  ORDER BY e.occurred_at, e.position LIMIT ?`;

const RESTART = `UPDATE deliveries SET status = 'pending', step = 0, next_attempt_at = ?1, next_reason = 'first', available_at = ?1 WHERE position = ?2`;

/** True when a delivery is being sent or about to be: making it due once more would only send it twice. */
function isUnderWay(status: StoredStatus | null, nextAttemptAt: number | null, now: number): boolean {
  return (status === 'pending' || status === 'sending') && nextAttemptAt !== null && nextAttemptAt <= now;
}

type Range = Parameters<Redelivery['replay']>[1];

/** Says whether a replay is to make an event due. Its body is looked at last. */
function isWanted({ type, status, next_attempt_at, body }: EventRow, { types, only, matches }: Range, now: number): boolean {
  if (!types.includes(type) || isUnderWay(status, next_attempt_at, now)) return false;
  if (only === 'failed' ? status !== 'failed' : only === 'undelivered' && status === 'succeeded') return false;
  return matches(body);
}

/** Sends again what was taken before, in SQLite. */
export function createSqliteRedelivery(db: SqliteDatabase): Redelivery {
  return {
    resend: (tenantId, endpointId, deliveryId, now) =>
      db.transaction(() => {
        const find = (): DeliveryRow | undefined =>
          db.get('SELECT * FROM deliveries WHERE tenant_id = ? AND delivery_id = ? AND endpoint_id = ?', tenantId, deliveryId, endpointId);
        const row = find();
        if (!row) return undefined;
        if (isUnderWay(row.status, row.next_attempt_at, now)) return deliveryOf(row);
        db.run(RESTART, now, row.position);
        return deliveryOf(find() as DeliveryRow);
      }),
    replay: (endpoint, range, now, newDeliveryId) =>
      db.transaction(() => {
        const after: ReplayPosition = range.after ?? { occurredAt: range.since, position: '-1' };
        const rows = db.all<EventRow>(
          EVENTS,
          endpoint.endpointId,
          endpoint.tenantId,
          after.occurredAt,
          Number(after.position),
          range.until,
          range.limit,
        );
        let scheduled = 0;
        for (const row of rows) {
          if (!isWanted(row, range, now)) continue;
          scheduled += 1;
          if (row.delivery_position !== null) db.run(RESTART, now, row.delivery_position);
          else insertDelivery(db, missingDelivery(endpoint, row, newDeliveryId(), now), now);
        }
        const last = rows.length < range.limit ? undefined : rows.at(-1);
        return { scheduled, next: last ? { occurredAt: last.occurred_at, position: String(last.position) } : null };
      }),
  };
}

/** A delivery of an event that happened before the endpoint was there or subscribed to it. */
function missingDelivery(endpoint: { tenantId: string; endpointId: string }, event: EventRow, deliveryId: string, now: number): Delivery {
  return {
    tenantId: endpoint.tenantId,
    deliveryId,
    endpointId: endpoint.endpointId,
    eventId: event.event_id,
    eventType: event.type,
    poNumber: event.po_number,
    status: 'pending',
    attemptCount: 0,
    step: 0,
    test: false,
    nextAttemptAt: now,
    nextReason: 'first',
    lastStatusCode: null,
    createdAt: now,
  };
}
