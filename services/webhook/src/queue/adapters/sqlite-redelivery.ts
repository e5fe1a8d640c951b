import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { insertDelivery } from '../../intake/adapters/sqlite-intake.ts';
import { type DeliveryRow, deliveryOf, type StoredStatus, statusOf } from '../../intake/adapters/sqlite-rows.ts';
import { createDelivery } from '../../intake/domain/create-delivery.ts';
import type { Delivery } from '../../intake/domain/delivery.ts';
import { misplaced } from '../../intake/domain/event-place.ts';
import { type EventStream, streamsOf } from '../../intake/domain/event-stream.ts';
import { isChosen } from '../domain/replay.ts';
import type { Redelivery } from '../ports.ts';

interface EventRow {
  readonly position: number;
  readonly event_id: string;
  readonly type: SentEventType;
  readonly po_number: string | null;
  readonly body: string;
  readonly delivery_position: number | null;
  readonly status: StoredStatus | null;
  readonly next_attempt_at: number | null;
}

/** Events of the tenant that one transaction passes over at most: its time depends on what there is, not only on what is in the range. */
const MAX_PASSED = 5_000;
/** A place is the position of the last event that was looked at. */
const PLACE = /^\d{1,15}$/;

/** Stream → where a stretch of the tenant's events ends; from the index alone. */
const STRETCH: Readonly<Record<EventStream, string>> = {
  standard: `SELECT max(position) AS position, count(*) AS count FROM (SELECT position FROM events INDEXED BY events_feed
    WHERE tenant_id = ? AND position > ? AND stream = 0 ORDER BY position LIMIT ?)`,
  opt_in: `SELECT max(position) AS position, count(*) AS count FROM (SELECT position FROM events INDEXED BY events_opt_in
    WHERE tenant_id = ? AND position > ? AND stream = 2 ORDER BY position LIMIT ?)`,
};
/** Stream → its events in a stretch. */
const EVENTS: Readonly<Record<EventStream, string>> = {
  standard: `SELECT e.position, e.event_id, e.type, e.po_number, e.body, d.position AS delivery_position, d.status, d.next_attempt_at
    FROM events e INDEXED BY events_feed LEFT JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.event_id = e.event_id AND d.endpoint_id = ?
    WHERE e.tenant_id = ? AND e.position > ? AND e.position <= ? AND e.stream = 0 AND e.occurred_at >= ? AND e.occurred_at < ?
    ORDER BY e.position LIMIT ?`,
  opt_in: `SELECT e.position, e.event_id, e.type, e.po_number, e.body, d.position AS delivery_position, d.status, d.next_attempt_at
    FROM events e INDEXED BY events_opt_in LEFT JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.event_id = e.event_id AND d.endpoint_id = ?
    WHERE e.tenant_id = ? AND e.position > ? AND e.position <= ? AND e.stream = 2 AND e.occurred_at >= ? AND e.occurred_at < ?
    ORDER BY e.position LIMIT ?`,
};

const RESTART = `UPDATE deliveries SET status = 'pending', step = 0, next_attempt_at = ?1, next_reason = 'first', available_at = ?1 WHERE position = ?2`;

/** True when a delivery is being sent or about to be: making it due once more would only send it twice. */
function isUnderWay(status: StoredStatus | null, nextAttemptAt: number | null, now: number): boolean {
  return (status === 'pending' || status === 'sending') && nextAttemptAt !== null && nextAttemptAt <= now;
}

type Range = Parameters<Redelivery['replay']>[1];

/** Says whether a replay is to make an event due. */
function isWanted(row: EventRow, range: Range, now: number): boolean {
  const { status, next_attempt_at } = row;
  return !isUnderWay(status, next_attempt_at, now) && isChosen(row, status === null ? undefined : statusOf(status), range);
}

/**
 * The next events of a range, in the order in which they were stored. All of the tenant's in the streams of the wanted types are passed over: one may have been stored long after
 * it happened, and clocks are set back.
 * @returns `next` where the following ones begin; null at the end
 */
function eventsOf(
  db: SqliteDatabase,
  { tenantId, endpointId }: Endpoint,
  range: Range,
): { readonly rows: EventRow[]; readonly next: string | null } {
  if (range.after !== null && !PLACE.test(range.after)) throw misplaced('cursor');
  const after = Number(range.after ?? 0);
  const streams = streamsOf(range.types);
  const ends = streams.flatMap((stream) => {
    const stretch = db.get<{ position: number; count: number }>(STRETCH[stream], tenantId, after, MAX_PASSED);
    return stretch?.count === MAX_PASSED ? stretch.position : [];
  });
  const end = ends.length === 0 ? undefined : Math.min(...ends);
  const until = end ?? Number.MAX_SAFE_INTEGER;
  const found = streams.flatMap((stream) =>
    db.all<EventRow>(EVENTS[stream], endpointId, tenantId, after, until, range.since, range.until, range.limit),
  );
  const rows = found.sort((a, b) => a.position - b.position).slice(0, range.limit);
  const next = rows.length === range.limit ? rows.at(-1)?.position : end;
  return { rows, next: next === undefined ? null : String(next) };
}

/** Sends again what was taken before, in SQLite. The events that it reads are on the disk before, though it may have had nothing to write itself. */
export function createSqliteRedelivery(db: SqliteDatabase): Redelivery {
  const flushed = async <T>(work: () => T): Promise<T> => {
    const outcome = await db.transaction(work);
    await db.flushed();
    return outcome;
  };
  return {
    resend: (tenantId, endpointId, deliveryId, now) =>
      flushed(() => {
        const find = (): DeliveryRow | undefined =>
          db.get('SELECT * FROM deliveries WHERE tenant_id = ? AND delivery_id = ? AND endpoint_id = ?', tenantId, deliveryId, endpointId);
        const row = find();
        if (!row) return undefined;
        if (isUnderWay(row.status, row.next_attempt_at, now)) return deliveryOf(row);
        db.run(RESTART, now, row.position);
        return deliveryOf(find() as DeliveryRow);
      }),
    replay: (endpoint, range, now, newDeliveryId) =>
      flushed(() => {
        const { rows, next } = eventsOf(db, endpoint, range);
        let scheduled = 0;
        for (const row of rows) {
          if (!isWanted(row, range, now)) continue;
          scheduled += 1;
          if (row.delivery_position !== null) db.run(RESTART, now, row.delivery_position);
          else insertDelivery(db, missingDelivery(endpoint, row, newDeliveryId(), now), now);
        }
        return { scheduled, next };
      }),
  };
}

/** A delivery of an event that happened before the endpoint was there or subscribed to it. */
function missingDelivery({ tenantId, endpointId }: Endpoint, event: EventRow, deliveryId: string, now: number): Delivery {
  const { event_id: eventId, type, po_number: poNumber } = event;
  return createDelivery(
    { tenantId, eventId, type, poNumber, test: false },
    endpointId,
    { deliveryId, status: 'pending', nextAttemptAt: now },
    now,
  );
}
