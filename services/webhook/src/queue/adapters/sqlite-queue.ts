import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { EndpointTable } from '../../endpoints/adapters/sqlite-endpoints.ts';
import type { Circuit } from '../../endpoints/domain/circuit.ts';
import { type Endpoint, leasable } from '../../endpoints/domain/endpoint.ts';
import type { InFlightDeliveries } from '../../intake/adapters/sqlite-in-flight.ts';
import { type DeliveryRow, deliveryOf } from '../../intake/adapters/sqlite-rows.ts';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import { type AttemptResult, changeAfter, resultsByEndpoint } from '../domain/attempt.ts';
import type { DeliveryQueue } from '../ports.ts';

/** The first endpoint after an id that has a pending delivery, and when the earliest is due: one seek in the queue's index, and the endpoint. */
const NEXT_ENDPOINT = `SELECT d.endpoint_id, d.available_at, e.status, e.circuit FROM deliveries d
  LEFT JOIN endpoints e ON e.tenant_id = d.tenant_id AND e.endpoint_id = d.endpoint_id AND e.deleted = 0
  WHERE d.status = 'pending' AND d.endpoint_id > ? ORDER BY d.endpoint_id, d.available_at LIMIT 1`;

/** Status and circuit are null once the endpoint is deleted. */
interface NextEndpoint {
  readonly endpoint_id: string;
  readonly available_at: number;
  readonly status: Endpoint['status'] | null;
  readonly circuit: string | null;
}

const TENANT_OF_DUE = `SELECT tenant_id FROM deliveries WHERE status = 'pending' AND endpoint_id = ? AND available_at <= ?
  ORDER BY available_at LIMIT 1`;
const DUE = `SELECT d.*, e.body, e.occurred_at, e.traceparent FROM deliveries d JOIN events e ON e.tenant_id = d.tenant_id AND e.event_id = d.event_id
  WHERE d.status = 'pending' AND d.endpoint_id = ? AND d.available_at <= ? ORDER BY d.available_at LIMIT ?`;

const BACKLOG = `SELECT d.available_at FROM json_each(?) AS wanted
  CROSS JOIN deliveries d ON d.endpoint_id = wanted.value AND d.status = 'pending' AND d.available_at <= ? LIMIT ?`;

interface SentEvent {
  readonly body: string;
  readonly occurred_at: number;
  readonly traceparent: string | null;
}

export interface SqliteQueueOptions {
  readonly db: SqliteDatabase;
  readonly endpoints: EndpointTable;
  readonly inFlight: InFlightDeliveries;
}

function leaseOf(
  { db, endpoints }: SqliteQueueOptions,
  endpointId: string,
  count: number,
  now: number,
  leaseUntil: number,
): LeasedDelivery[] {
  // The endpoint before the deliveries: what may not be sent is not read.
  const due = db.get<{ tenant_id: string }>(TENANT_OF_DUE, endpointId, now);
  const endpoint = due && endpoints.get(due.tenant_id, endpointId);
  const allowed = endpoint ? leasable(endpoint, count, now) : 0;
  if (!endpoint || allowed === 0) return [];
  const rows = db.all<DeliveryRow & SentEvent>(DUE, endpointId, now, allowed);
  for (const row of rows) db.run('UPDATE deliveries SET available_at = ? WHERE position = ?', leaseUntil, row.position);
  return rows.map((row) => {
    const { body, occurred_at: occurredAt, traceparent } = row;
    return { endpoint, delivery: deliveryOf(row), body, origin: { occurredAt, traceparent }, leaseUntil };
  });
}

/** A success counts even if the lease was lost. */
const RECORD_SUCCESS = `UPDATE deliveries SET attempt_count = attempt_count + 1, step = step + 1, last_status_code = ?, status = 'succeeded',
  next_attempt_at = NULL, next_reason = NULL, available_at = NULL WHERE tenant_id = ? AND delivery_id = ? RETURNING position, attempt_count`;

/** Anything else settles the delivery only while the lease is still the one that it was sent under. */
const RECORD_FAILURE = `UPDATE deliveries SET step = step + 1, status = ?1, next_attempt_at = ?2, next_reason = ?3, available_at = ?2
  WHERE tenant_id = ?4 AND delivery_id = ?5 AND status IN ('pending', 'sending') AND available_at = ?6`;
const COUNT_FAILURE = `UPDATE deliveries SET attempt_count = attempt_count + 1, last_status_code = ?
  WHERE tenant_id = ? AND delivery_id = ? RETURNING position, attempt_count`;

/** Gives a lease back: the delivery is due at the time that it was due at, or can be leased later. */
const RELEASE = `UPDATE deliveries SET status = 'pending', available_at = max(next_attempt_at, ?4)
  WHERE tenant_id = ?1 AND delivery_id = ?2 AND status IN ('pending', 'sending') AND available_at = ?3`;
/** Before every time that a delivery is due at. */
const AT_ONCE = 0;

/** Writes the state after a result. @returns position of the delivery and number of the attempt; undefined when the delivery is gone */
function recordState(db: SqliteDatabase, result: AttemptResult): { readonly position: number; readonly attempt_count: number } | undefined {
  const { leased, attempt, status, nextAttemptAt, nextReason } = result;
  const { tenantId, deliveryId } = leased.delivery;
  const change = changeAfter(result);
  if (change === 'settle') db.run(RECORD_FAILURE, status, nextAttemptAt, nextReason, tenantId, deliveryId, leased.leaseUntil);
  else if (change === 'release') db.run(RELEASE, tenantId, deliveryId, leased.leaseUntil, AT_ONCE);
  return db.get(change === 'succeed' ? RECORD_SUCCESS : COUNT_FAILURE, attempt.statusCode, tenantId, deliveryId);
}

function recordOne(db: SqliteDatabase, result: AttemptResult): void {
  const counted = recordState(db, result);
  // Deleted with its endpoint, or by the retention, while the attempt ran: there is nothing left to log it with.
  if (counted === undefined) return;
  const { attempt } = result;
  db.run(
    `INSERT INTO attempts (delivery_position, attempt_number, attempt_id, url, started_at, duration_ms, outcome, status_code, error,
       error_code, retry_after, response_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    counted.position,
    counted.attempt_count,
    attempt.attemptId,
    attempt.url,
    attempt.startedAt,
    attempt.durationMs,
    attempt.outcome,
    attempt.statusCode,
    attempt.error,
    attempt.errorCode,
    attempt.retryAfter,
    attempt.responseBody,
  );
}

function recordHealth(
  endpoints: EndpointTable,
  results: readonly AttemptResult[],
  health: (endpoint: Endpoint, results: readonly AttemptResult[]) => Endpoint,
): Endpoint[] {
  const disabled: Endpoint[] = [];
  for (const ofOne of resultsByEndpoint(results).values()) {
    const { tenantId, endpointId } = (ofOne[0] as AttemptResult).leased.endpoint;
    const current = endpoints.get(tenantId, endpointId);
    if (!current) continue;
    const changed = health(current, ofOne);
    if (changed === current) continue;
    endpoints.write(changed);
    if (changed.status === 'disabled' && current.status !== 'disabled') disabled.push(changed);
  }
  return disabled;
}

/** Endpoints that wait with a backlog are passed over here: each would cost a lease that yields nothing. */
function mayLease({ status, circuit }: NextEndpoint, now: number): boolean {
  return status !== null && leasable({ status, circuit: circuit === null ? null : (JSON.parse(circuit) as Circuit) }, 1, now) > 0;
}

/** It can be done again. */
const REPEATABLE = { repeatable: true } as const;

/**
 * The webhooks are sent: that they were is written down together with what else there is to write in this time. It does not wait for the disk
 * either, because it cannot be written twice: what is lost with the power is sent again under the same `webhook-id`.
 */
const IN_COMPANY = { deferMs: 25, repeatable: true, flushLater: true } as const;

function idsOf(leased: readonly LeasedDelivery[]): string[] {
  return leased.map(({ delivery }) => delivery.deliveryId);
}

/** Puts into the queue what has been in flight for longer than its lease: its result is not expected any more. */
async function queueExpired({ db, inFlight }: SqliteQueueOptions, now: number): Promise<void> {
  const expired = inFlight.expired(now);
  if (expired.length === 0) return;
  await db.transaction(() => inFlight.queue(expired), REPEATABLE);
  inFlight.remove(expired.map(({ deliveryId }) => deliveryId));
}

function dueEndpoints(db: SqliteDatabase, after: string, now: number, limit: number): Awaited<ReturnType<DeliveryQueue['dueEndpoints']>> {
  const endpointIds: string[] = [];
  let last = after;
  for (let looked = 0; looked < limit; looked += 1) {
    const row = db.get<NextEndpoint>(NEXT_ENDPOINT, last);
    if (!row) return { endpointIds, next: null };
    last = row.endpoint_id;
    if (row.available_at <= now && mayLease(row, now)) endpointIds.push(last);
  }
  return { endpointIds, next: last };
}

export function createSqliteQueue(tables: SqliteQueueOptions): DeliveryQueue {
  const { db, endpoints, inFlight } = tables;
  return {
    async dueEndpoints({ after, now, limit }) {
      await queueExpired(tables, now);
      return dueEndpoints(db, after, now, limit);
    },
    async backlogOf(endpointIds, now, limit) {
      const rows = db.all<{ available_at: number }>(BACKLOG, JSON.stringify(endpointIds), now, limit);
      const oldest = rows.reduce((least, row) => Math.min(least, row.available_at), now);
      return { count: rows.length, oldestDueAt: rows.length === 0 ? null : oldest };
    },
    async lease(wanted, now, leaseUntil) {
      await queueExpired(tables, now);
      return db.transaction(
        () => wanted.flatMap(({ endpointId, count }) => leaseOf(tables, endpointId, count, now, leaseUntil)),
        REPEATABLE,
      );
    },
    async release(leased, until = AT_ONCE) {
      await db.transaction(() => {
        for (const { delivery, leaseUntil } of leased) db.run(RELEASE, delivery.tenantId, delivery.deliveryId, leaseUntil, until);
      }, REPEATABLE);
      inFlight.remove(idsOf(leased));
    },
    async record(results, health) {
      const disabled = await db.transaction(() => {
        for (const result of results) recordOne(db, result);
        const becameDisabled = recordHealth(endpoints, results, health);
        inFlight.keepMark();
        return becameDisabled;
      }, IN_COMPANY);
      inFlight.remove(idsOf(results.map(({ leased }) => leased)));
      return disabled;
    },
  };
}

/**
 * Ends the leases of the process that had the file before. Called when the file is opened: a data directory belongs to
 * one process at a time, so the holder of these leases has ended, and its deliveries need not wait until they expire.
 */
export async function reclaimLeases({ db, inFlight }: SqliteQueueOptions): Promise<void> {
  const sql = "UPDATE deliveries SET available_at = next_attempt_at WHERE status = 'pending' AND available_at <> next_attempt_at";
  await Promise.all([db.transaction(() => db.run(sql)), inFlight.reclaim()]);
}
