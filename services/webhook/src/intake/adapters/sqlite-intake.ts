import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { EndpointTable } from '../../endpoints/adapters/sqlite-endpoints.ts';
import { decideIntake, type IntakeDecision, type IntakeEntry, type KnownBefore, type NewEvent } from '../domain/decide-intake.ts';
import type { Delivery } from '../domain/delivery.ts';
import { type EventStream, parcelText } from '../domain/event-stream.ts';
import type { EventIntake, IntakeOutcome } from '../ports.ts';
import type { InFlightDeliveries, InFlightDelivery } from './sqlite-in-flight.ts';
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

/** Stream → the statement that reads the highest number of a forecast in it. */
const READ_NUMBER: Readonly<Record<EventStream, string>> = {
  standard: 'SELECT last_seq AS last FROM forecast_sequences WHERE tenant_id = ? AND forecast_no = ?',
  opt_in: 'SELECT last_opt_in_seq AS last FROM forecast_sequences WHERE tenant_id = ? AND forecast_no = ?',
};

/** Stream → the statement that stores the highest number of a forecast in it. */
const STORE_NUMBER: Readonly<Record<EventStream, string>> = {
  standard: `INSERT INTO forecast_sequences (tenant_id, forecast_no, last_seq, updated_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET last_seq = excluded.last_seq, updated_at = excluded.updated_at`,
  opt_in: `INSERT INTO forecast_sequences (tenant_id, forecast_no, last_seq, last_opt_in_seq, updated_at) VALUES (?, ?, 0, ?, ?)
    ON CONFLICT DO UPDATE SET last_opt_in_seq = excluded.last_opt_in_seq, updated_at = excluded.updated_at`,
};

interface SqliteIntakeOptions {
  readonly db: SqliteDatabase;
  readonly endpoints: EndpointTable;
  readonly inFlight: InFlightDeliveries;
}

/** What the file knows of events. Transactions run one after the other, so it is still true when the decision is written. */
function knownIn({ db, endpoints }: SqliteIntakeOptions): KnownBefore {
  return {
    endpointsOf: (tenantId) => endpoints.list(tenantId),
    isStored: ({ tenantId, eventId }) =>
      db.get('SELECT 1 FROM events WHERE tenant_id = ? AND event_id = ?', tenantId, eventId) !== undefined,
    lastNumberOf: ({ tenantId, forecastNo, stream }) => db.get<{ last: number }>(READ_NUMBER[stream], tenantId, forecastNo)?.last ?? 0,
  };
}

function insertEvent(db: SqliteDatabase, { event, stream, sequence, body }: NewEvent, now: number): void {
  const { parcel } = event;
  db.run(
    `INSERT INTO events (tenant_id, event_id, forecast_no, event_seq, type, po_number, body, stream, occurred_at, created_at, traceparent)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    event.tenantId,
    event.eventId,
    parcel === null ? null : parcel.forecastNo,
    sequence,
    event.type,
    event.poNumber,
    body,
    event.test ? NO_STREAM : STREAM_IN_ROWS[stream],
    event.occurredAt,
    now,
    event.traceparent,
  );
  if (parcel !== null) db.run(STORE_NUMBER[stream], parcel.tenantId, parcel.forecastNo, sequence, now);
}

/** What a decision has come to in the file. */
interface Written {
  readonly outcomes: readonly IntakeOutcome[];
  /** Deliveries that are leased from the beginning. */
  readonly leased: readonly InFlightDelivery[];
}

const NOTHING: Written = { outcomes: [], leased: [] };

/** @param count how many events were decided */
function write(db: SqliteDatabase, { inserts, repeated, refused }: IntakeDecision, count: number, now: number): Written {
  const outcomes: IntakeOutcome[] = Array.from({ length: count }, () => ({ deliveries: [] }));
  const leased: InFlightDelivery[] = [];
  for (const added of inserts) {
    insertEvent(db, added, now);
    outcomes[added.index] = {
      deliveries: added.deliveries.map((one) => {
        const { delivery } = one;
        if (one.leased === null) insertDelivery(db, delivery, delivery.nextAttemptAt);
        else {
          const { tenantId, deliveryId, endpointId } = delivery;
          const { leaseUntil } = one.leased;
          leased.push({ position: insertDelivery(db, delivery, leaseUntil, 'sending'), tenantId, deliveryId, endpointId, leaseUntil });
        }
        return { delivery, leased: one.leased };
      }),
    };
  }
  const errors = new Map(refused.map(({ index, error }) => [index, error]));
  for (const [index, error] of errors) outcomes[index] = { error };
  for (const { index, first } of repeated) if (errors.has(first)) outcomes[index] = { error: errors.get(first) };
  return { outcomes, leased };
}

const REPEATABLE = { repeatable: true } as const;

/**
 * Forecasts with an event that is not on the disk yet, by stream. A later batch with one of the same forecast and stream waits for the disk: if both were lost
 * with the power, they could come again in another order, and a receiver that got the first would take the second for older by its number.
 * Events of one batch are lost together, and come again in their order.
 */
class UnsettledForecasts {
  /** With more of them than a healthy disk leaves behind, every batch waits for the disk. */
  static readonly #MAX = 5_000;

  readonly #db: SqliteDatabase;
  /** By name, whether the event is stored. */
  readonly #events = new Map<string, boolean>();

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /**
   * Stores a batch of events.
   * @param store its argument says whether the events may be flushed later
   */
  async with(entries: readonly IntakeEntry[], store: (flushLater: boolean) => Promise<void>): Promise<void> {
    const names = new Set<string>();
    for (const { event } of entries) if (event.parcel !== null) names.add(parcelText(event.parcel));
    const before = [...names].filter((name) => this.#events.has(name));
    const stored = before.filter((name) => this.#events.get(name) === true);
    const isFull = this.#events.size + names.size > UnsettledForecasts.#MAX;
    if (before.length > 0 || isFull) {
      await store(false);
      // What was stored before is on the disk with it.
      for (const name of stored) this.#events.delete(name);
      return;
    }
    for (const name of names) this.#events.set(name, false);
    try {
      await store(true);
      for (const name of names) this.#events.set(name, true);
    } catch (error) {
      for (const name of names) this.#events.delete(name);
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

export function createSqliteIntake(tables: SqliteIntakeOptions): EventIntake {
  const { db, inFlight } = tables;
  const unsettled = new UnsettledForecasts(db);
  const known = knownIn(tables);
  return {
    async accept(entries, now, isReplayed = false) {
      let written: Written = NOTHING;
      const undo = (): void => {
        if (written.leased.length > 0) inFlight.remove(written.leased.map(({ deliveryId }) => deliveryId));
      };
      const work = (): void => {
        // Of a run that was undone.
        undo();
        written = NOTHING;
        written = write(db, decideIntake(entries, known, now), entries.length, now);
        for (const one of written.leased) inFlight.add(one);
      };
      const store = (flushLater: boolean): Promise<void> => db.transaction(work, { ...REPEATABLE, flushLater });
      try {
        await (isReplayed ? unsettled.with(entries, store) : store(false));
        return written.outcomes;
      } catch (error) {
        undo();
        throw error;
      }
    },
    settled: () => unsettled.settle(),
  };
}
