import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { insertDelivery } from '../../intake/adapters/sqlite-intake.ts';
import { type DeliveryRow, deliveryOf, type StoredStatus, statusOf } from '../../intake/adapters/sqlite-rows.ts';
import { misplaced } from '../../intake/domain/event-place.ts';
import { type EventStream, streamsOf } from '../../intake/domain/event-stream.ts';
import { type DeliveryProgress, isInFlight, newRun } from '../domain/in-flight.ts';
import { decideReplay, type ReplayCandidate } from '../domain/replay.ts';
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
  readonly available_at: number | null;
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
  standard: `SELECT e.position, e.event_id, e.type, e.po_number, e.body, d.position AS delivery_position, d.status, d.next_attempt_at, d.available_at
    FROM events e INDEXED BY events_feed LEFT JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.event_id = e.event_id AND d.endpoint_id = ?
    WHERE e.tenant_id = ? AND e.position > ? AND e.position <= ? AND e.stream = 0 AND e.occurred_at >= ? AND e.occurred_at < ?
    ORDER BY e.position LIMIT ?`,
  opt_in: `SELECT e.position, e.event_id, e.type, e.po_number, e.body, d.position AS delivery_position, d.status, d.next_attempt_at, d.available_at
    FROM events e INDEXED BY events_opt_in LEFT JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.event_id = e.event_id AND d.endpoint_id = ?
    WHERE e.tenant_id = ? AND e.position > ? AND e.position <= ? AND e.stream = 2 AND e.occurred_at >= ? AND e.occurred_at < ?
    ORDER BY e.position LIMIT ?`,
};

const RESTART = 'UPDATE deliveries SET status = ?, step = ?, next_attempt_at = ?, next_reason = ?, available_at = ? WHERE position = ?';

function restart(db: SqliteDatabase, position: number, now: number): void {
  const { status, step, nextAttemptAt, nextReason } = newRun(now);
  db.run(RESTART, status, step, nextAttemptAt, nextReason, nextAttemptAt, position);
}

type ProgressColumns = Pick<DeliveryRow, 'status' | 'next_attempt_at' | 'available_at'>;

/** A lease moves the time from which on a delivery may be leased, and nothing else. */
function progressOf({ status, next_attempt_at: nextAttemptAt, available_at }: ProgressColumns): DeliveryProgress {
  return { status: statusOf(status), nextAttemptAt, isLeased: status === 'sending' || available_at !== nextAttemptAt };
}

interface StoredDelivery extends DeliveryProgress {
  readonly position: number;
}

function candidateOf(row: EventRow): ReplayCandidate<StoredDelivery> {
  const { event_id: eventId, type, po_number: poNumber, body, delivery_position: position, status } = row;
  const delivery = position === null || status === null ? undefined : { position, ...progressOf({ ...row, status }) };
  return { event: { eventId, type, poNumber, body, test: false }, delivery };
}

type Range = Parameters<Redelivery['replay']>[1];

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

/** Sends deliveries again, in SQLite. It responds once the events that it has read are on the disk, even if it has written nothing itself. */
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
        if (isInFlight(progressOf(row), now)) return deliveryOf(row);
        restart(db, row.position, now);
        return deliveryOf(find() as DeliveryRow);
      }),
    replay: (endpoint, range, now, newDeliveryId) =>
      flushed(() => {
        const { rows, next } = eventsOf(db, endpoint, range);
        const { restarts, inserts } = decideReplay(endpoint, rows.map(candidateOf), range, now, newDeliveryId);
        for (const { position } of restarts) restart(db, position, now);
        for (const delivery of inserts) insertDelivery(db, delivery, delivery.nextAttemptAt);
        return { scheduled: restarts.length + inserts.length, next };
      }),
  };
}
