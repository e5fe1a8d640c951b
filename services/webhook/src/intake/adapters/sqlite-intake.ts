import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { isUniqueViolation } from '@parcelway/sqlite/sqlite-errors';
import type { EndpointTable } from '../../endpoints/adapters/sqlite-endpoints.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { createDelivery } from '../domain/create-delivery.ts';
import type { Delivery } from '../domain/delivery.ts';
import { type EventStream, streamOf } from '../domain/event-stream.ts';
import type { TenantEvent } from '../domain/tenant-event.ts';
import type { AcceptedDelivery, EventIntake, PlannedDelivery } from '../ports.ts';
import type { InFlightDeliveries } from './sqlite-in-flight.ts';
import { NO_STREAM, STREAM_IN_ROWS, type StoredStatus } from './sqlite-rows.ts';

/** Writes a new delivery. Only inside a transaction. @param availableAt when it can be leased; null when held. @returns its position */
export function insertDelivery(
  db: SqliteDatabase,
  delivery: Delivery,
  availableAt: number | null,
  status: StoredStatus = delivery.status,
): number {
  return db.run(
    `INSERT INTO deliveries (tenant_id, delivery_id, endpoint_id, event_id, event_type, po_number, status, test,
       next_attempt_at, next_reason, available_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    delivery.tenantId,
    delivery.deliveryId,
    delivery.endpointId,
    delivery.eventId,
    delivery.eventType,
    delivery.poNumber,
    status,
    delivery.test ? 1 : 0,
    delivery.nextAttemptAt,
    delivery.nextReason,
    availableAt,
    delivery.createdAt,
  ).lastInsertRowid;
}

/** Stream → the statement that gives the next number of a forecast in it. */
const NEXT_SEQUENCE: Readonly<Record<EventStream, string>> = {
  standard: `INSERT INTO forecast_sequences (tenant_id, forecast_no, last_seq, updated_at) VALUES (?, ?, 1, ?)
    ON CONFLICT DO UPDATE SET last_seq = last_seq + 1, updated_at = excluded.updated_at RETURNING last_seq AS seq`,
  opt_in: `INSERT INTO forecast_sequences (tenant_id, forecast_no, last_seq, last_opt_in_seq, updated_at) VALUES (?, ?, 0, 1, ?)
    ON CONFLICT DO UPDATE SET last_opt_in_seq = last_opt_in_seq + 1, updated_at = excluded.updated_at RETURNING last_opt_in_seq AS seq`,
};

function nextSequence(db: SqliteDatabase, event: TenantEvent, now: number): number | null {
  if (event.forecastNo === null) return null;
  const row = db.get<{ seq: number }>(NEXT_SEQUENCE[streamOf(event.type)], event.tenantId, event.forecastNo, now);
  return (row as { seq: number }).seq;
}

/** Undoes what was written for an event that turns out to be there, the number that it took included. */
class KnownEvent extends Error {}

function insertEvent(db: SqliteDatabase, event: TenantEvent, seq: number | null, body: string, now: number): void {
  db.run(
    `INSERT INTO events (tenant_id, event_id, forecast_no, event_seq, type, po_number, body, stream, occurred_at, created_at, traceparent)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    event.tenantId,
    event.eventId,
    event.forecastNo,
    seq,
    event.type,
    event.poNumber,
    body,
    event.test ? NO_STREAM : STREAM_IN_ROWS[streamOf(event.type)],
    event.occurredAt,
    now,
    event.traceparent,
  );
}

/** @throws KnownEvent when it is there already: the unique index says so, for which nothing has to be read first */
function storeEvent(db: SqliteDatabase, event: TenantEvent, now: number): string {
  const seq = nextSequence(db, event, now);
  const body = event.render(seq);
  try {
    insertEvent(db, event, seq, body, now);
  } catch (error) {
    throw isUniqueViolation(error, 'events.event_id') ? new KnownEvent() : error;
  }
  return body;
}

function accepted(event: TenantEvent, body: string, endpoint: Endpoint, planned: PlannedDelivery, now: number): AcceptedDelivery {
  const delivery = createDelivery(event, endpoint.endpointId, planned, now);
  const { leaseUntil } = planned;
  const origin = { occurredAt: event.occurredAt, traceparent: event.traceparent };
  return { delivery, leased: leaseUntil === null ? null : { endpoint, delivery, body, origin, leaseUntil } };
}

type Plan = Parameters<EventIntake['accept']>[2];

/** What an event is written with. */
interface IntakeTables {
  readonly db: SqliteDatabase;
  readonly endpoints: EndpointTable;
  readonly inFlight: InFlightDeliveries;
}

/** @param made gets the deliveries as they are written */
function takeIn({ db, endpoints, inFlight }: IntakeTables, event: TenantEvent, now: number, plan: Plan, made: AcceptedDelivery[]): void {
  const body = storeEvent(db, event, now);
  for (const endpoint of endpoints.list(event.tenantId)) {
    const planned = plan(endpoint);
    if (!planned) continue;
    const one = accepted(event, body, endpoint, planned, now);
    made.push(one);
    const { leaseUntil } = planned;
    if (leaseUntil === null) insertDelivery(db, one.delivery, planned.nextAttemptAt);
    else {
      const position = insertDelivery(db, one.delivery, leaseUntil, 'sending');
      const { tenantId, deliveryId, endpointId } = one.delivery;
      inFlight.add({ position, tenantId, deliveryId, endpointId, leaseUntil });
    }
  }
}

/** Events share a commit while the process is busy; otherwise none waits. */
const IN_COMPANY = { patienceMs: 20, repeatable: true } as const;

/**
 * Forecasts with an event that is not on the disk yet, by stream. A second one of the same forecast and stream waits for the disk: were both lost with the power, they
 * could come again in another order, and whoever was sent the first would take the second for older by its number.
 */
class UnsettledForecasts {
  /** With more of them than a disk in order leaves behind, every event waits for the disk. */
  static readonly #MAX = 5_000;

  readonly #db: SqliteDatabase;
  /** By name, whether the event is stored. */
  readonly #events = new Map<string, boolean>();

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /**
   * Stores an event.
   * @param store is told whether it may be flushed later
   */
  async with({ tenantId, forecastNo, type }: TenantEvent, store: (flushLater: boolean) => Promise<void>): Promise<void> {
    if (forecastNo === null) return store(true);
    const name = `${tenantId}\n${forecastNo}\n${streamOf(type)}`;
    const isStored = this.#events.get(name);
    if (isStored !== undefined || this.#events.size >= UnsettledForecasts.#MAX) {
      await store(false);
      // What was stored before is on the disk with it.
      if (isStored === true) this.#events.delete(name);
      return;
    }
    this.#events.set(name, false);
    try {
      await store(true);
      this.#events.set(name, true);
    } catch (error) {
      // One that is known may have been left unflushed by a process that was killed.
      if (error instanceof KnownEvent) this.#events.set(name, true);
      else this.#events.delete(name);
      throw error;
    }
  }

  /** Resolves once all that was stored is on the disk. */
  async settle(): Promise<void> {
    const stored = [...this.#events].flatMap(([name, isStored]) => (isStored ? name : []));
    await this.#db.flushed();
    for (const name of stored) this.#events.delete(name);
  }
}

/** Takes events in, in SQLite. */
export function createSqliteIntake(tables: IntakeTables): EventIntake {
  const unsettled = new UnsettledForecasts(tables.db);
  return {
    async accept(event, now, plan, comesAgain = false) {
      const made: AcceptedDelivery[] = [];
      const forget = (): void => tables.inFlight.remove(made.splice(0).map(({ delivery }) => delivery.deliveryId));
      const work = (): void => {
        // Of a run that was undone.
        forget();
        takeIn(tables, event, now, plan, made);
      };
      try {
        const store = (flushLater: boolean): Promise<void> => tables.db.transaction(work, { ...IN_COMPANY, flushLater });
        await (comesAgain ? unsettled.with(event, store) : store(false));
        return made;
      } catch (error) {
        forget();
        if (error instanceof KnownEvent) return [];
        throw error;
      }
    },
    settled: () => unsettled.settle(),
  };
}
