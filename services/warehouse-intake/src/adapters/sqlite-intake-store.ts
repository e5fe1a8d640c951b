import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { type AcceptedForecast, type DirectoryForecast, endsStay, type IntakeEvent, scannedNumberOf } from '../domain/event.ts';
import { type DirectoryAnswer, matchEvent, type UnclaimedReason } from '../domain/match.ts';
import { publicationOf } from '../domain/publication.ts';
import type { IntakeStore, PurgeOutcome, RecordOutcome, ResumeOutcome, UnclaimedParcel } from '../ports.ts';
import {
  type CandidateRow,
  candidateOf,
  FORECAST_COLUMNS,
  type ForecastRow,
  forecastOf,
  intakeMigrations,
  type WaitingRow,
} from './sqlite-intake-schema.ts';

/** Waiting events that one transaction matches again, so that a crowd of them does not hold up everything else. */
const SETTLE_BATCH = 500;

/**
 * Waiting events of a {@link Scope} behind a {@link Position}. Of the forecast and of each number no more than the limit are read, so that a crowd
 * that is matched in batches is not read anew for each.
 */
const WAITING = `SELECT id, event, waiting, occurred_at FROM (
    SELECT id, event, waiting, occurred_at FROM events INDEXED BY events_waiting_named
    WHERE waiting IS NOT NULL AND forecast_no = ?1 AND (occurred_at, id) > (?4, ?5) ORDER BY occurred_at, id LIMIT ?6)
  UNION ALL
  SELECT id, event, waiting, occurred_at FROM (SELECT DISTINCT value FROM json_each(?3)) AS wanted CROSS JOIN events ON events.id IN (
    SELECT id FROM events INDEXED BY events_waiting_scanned
    WHERE waiting IS NOT NULL AND forecast_no IS NULL AND warehouse_code = ?2 AND scanned_no = wanted.value AND (occurred_at, id) > (?4, ?5)
    ORDER BY occurred_at, id LIMIT ?6)
  ORDER BY occurred_at, id LIMIT ?6`;

/** Position in the order in which events occurred. */
interface Position {
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  readonly id: number;
}

const FIRST: Position = { occurredAt: Number.MIN_SAFE_INTEGER, id: 0 };

/** Which waiting events: those that name the forecast, and those with one of the numbers at the warehouse. */
interface Scope {
  readonly forecastNo: string | null;
  readonly warehouseCode: string;
  readonly numbers: readonly string[];
}

/** What one step of matching again has done. */
interface Settled {
  readonly published: number;
  /** Where the next step goes on; undefined when this was the last. */
  readonly next: Position | undefined;
}

/** The intake's store in SQLite. Every decision is made inside the transaction that acts on it. */
export class SqliteIntakeStore implements IntakeStore {
  /** Publications that wait for the relay. */
  readonly outbox: SqliteOutbox;
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;

  /** @param db a file of the service's own; brought up to date here */
  constructor(db: SqliteDatabase, clock: Clock) {
    db.migrate(intakeMigrations);
    this.#db = db;
    this.#clock = clock;
    this.outbox = new SqliteOutbox(db, clock);
  }

  record(events: readonly IntakeEvent[], traceparent?: string): Promise<RecordOutcome> {
    return this.#db.transaction(() => {
      const conflicts: Pick<IntakeEvent, 'warehouseCode' | 'eventId'>[] = [];
      let duplicates = 0;
      let published = 0;
      for (const event of events) {
        const count = this.#insert(event, traceparent);
        if (count !== undefined) {
          published += count;
          continue;
        }
        duplicates += 1;
        if (this.#differs(event)) conflicts.push({ warehouseCode: event.warehouseCode, eventId: event.eventId });
      }
      return { accepted: events.length - duplicates, duplicates, conflicts, published };
    });
  }

  async accept(forecast: AcceptedForecast, traceparent?: string): Promise<{ readonly published: number }> {
    const scope = { forecastNo: forecast.forecastNo, warehouseCode: forecast.warehouseCode, numbers: forecast.trackingNumbers };
    let settled = await this.#db.transaction(() => {
      this.#addForecast(forecast);
      return this.#settle(scope, traceparent, FIRST, SETTLE_BATCH);
    });
    let { published } = settled;
    // A crash in between loses nothing: the acceptance is delivered again and goes on from here.
    while (settled.next) {
      const { next } = settled;
      settled = await this.#db.transaction(() => this.#settle(scope, traceparent, next, SETTLE_BATCH));
      published += settled.published;
    }
    return { published };
  }

  cancel(forecastNo: string, at: number, traceparent?: string): Promise<{ readonly published: number }> {
    return this.#db.transaction(() => {
      this.#db.run(
        `INSERT INTO forecasts (forecast_no, cancelled_at) VALUES (?, ?)
         ON CONFLICT (forecast_no) DO UPDATE SET cancelled_at = excluded.cancelled_at WHERE cancelled_at IS NULL`,
        forecastNo,
        at,
      );
      const freed = this.#db.all<{ warehouse_code: string; scanned_no: string }>(
        'SELECT warehouse_code, scanned_no FROM numbers WHERE forecast_no = ?',
        forecastNo,
      );
      const first = freed[0];
      if (!first) return { published: 0 };
      this.#db.run('DELETE FROM numbers WHERE forecast_no = ?', forecastNo);
      const numbers = freed.map((row) => row.scanned_no);
      const { published } = this.#settle({ forecastNo, warehouseCode: first.warehouse_code, numbers }, traceparent);
      return { published };
    });
  }

  async unclaimed(limit: number): Promise<readonly UnclaimedParcel[]> {
    const rows = this.#db.all<WaitingRow & { readonly received_at: number }>(
      'SELECT id, event, waiting, received_at FROM events INDEXED BY events_waiting WHERE waiting IS NOT NULL ORDER BY id LIMIT ?',
      limit,
    );
    return rows.map((row) => {
      const event = JSON.parse(row.event) as IntakeEvent;
      return { event, type: event.detail.type, reason: row.waiting as UnclaimedReason, receivedAt: row.received_at };
    });
  }

  purge(before: number, limit: number): Promise<PurgeOutcome> {
    return this.#db.transaction(() => {
      const old = this.#db.all<{ id: number; warehouse_code: string; event_id: string; waiting: string | null }>(
        'SELECT id, warehouse_code, event_id, waiting FROM events WHERE received_at < ? ORDER BY received_at LIMIT ?',
        before,
        limit,
      );
      this.#db.run('DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(old.map((row) => row.id)));
      this.#db.run(
        `DELETE FROM forecasts WHERE forecast_no IN
         (SELECT forecast_no FROM forecasts WHERE coalesce(cancelled_at, finished_at) < ? LIMIT ?)`,
        before,
        limit,
      );
      const unclaimed = old
        .filter((row) => row.waiting !== null)
        .map((row) => ({ warehouseCode: row.warehouse_code, eventId: row.event_id }));
      return { deleted: old.length, unclaimed };
    });
  }

  /** Nothing to do: each step is one transaction, so none is ever cut in two, and a crowd is gone on with by the bus. */
  async resume(): Promise<ResumeOutcome> {
    return { resumed: 0, published: 0 };
  }

  async check(): Promise<void> {
    this.#db.get('SELECT 1 AS one');
  }

  /** Stores an event and publishes what it can. @returns how many were published, or undefined when it was stored before */
  #insert(event: IntakeEvent, traceparent: string | undefined): number | undefined {
    const now = this.#clock.now();
    const match = matchEvent(event, this.#lookUp(event), now);
    const { changes } = this.#db.run(
      `INSERT INTO events (warehouse_code, event_id, forecast_no, scanned_no, occurred_at, received_at, event, waiting)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (warehouse_code, event_id) DO NOTHING`,
      event.warehouseCode,
      event.eventId,
      event.forecastNo,
      scannedNumberOf(event),
      Date.parse(event.occurredAt),
      now,
      JSON.stringify(event),
      'reason' in match ? match.reason : null,
    );
    if (changes === 0) return undefined;
    return 'forecast' in match ? this.#publish(event, match.forecast, now, traceparent) : 0;
  }

  /** True when the stored event of the same id is not the same event. */
  #differs(event: IntakeEvent): boolean {
    const row = this.#db.get<{ event: string }>(
      'SELECT event FROM events WHERE warehouse_code = ? AND event_id = ?',
      event.warehouseCode,
      event.eventId,
    );
    return row?.event !== JSON.stringify(event);
  }

  #lookUp(event: IntakeEvent): DirectoryAnswer {
    if (event.forecastNo !== null) {
      const row = this.#db.get<ForecastRow>(
        `SELECT ${FORECAST_COLUMNS} FROM forecasts f WHERE f.forecast_no = ? AND f.tenant_id IS NOT NULL`,
        event.forecastNo,
      );
      return { named: row && forecastOf(row), candidates: [] };
    }
    const rows = this.#db.all<CandidateRow>(
      `SELECT ${FORECAST_COLUMNS}, f.finished_at, n.claimed FROM numbers n JOIN forecasts f USING (forecast_no)
       WHERE n.warehouse_code = ? AND n.scanned_no = ?`,
      event.warehouseCode,
      scannedNumberOf(event),
    );
    return { named: undefined, candidates: rows.map(candidateOf) };
  }

  /**
   * Writes the publication of a matched event and what follows from it. A warehouse that names forecast and number
   * together says whose parcel that number is on, so events that waited for just that go first.
   * @returns how many events were published
   */
  #publish(event: IntakeEvent, forecast: DirectoryForecast, now: number, traceparent: string | undefined): number {
    const scanned = scannedNumberOf(event);
    let released = 0;
    if (scanned !== null) {
      const { changes } = this.#db.run(
        'UPDATE numbers SET claimed = 1 WHERE warehouse_code = ? AND scanned_no = ? AND forecast_no = ? AND claimed = 0',
        forecast.warehouseCode,
        scanned,
        forecast.forecastNo,
      );
      if (changes > 0 && event.forecastNo !== null) {
        const scope = { forecastNo: null, warehouseCode: forecast.warehouseCode, numbers: [scanned] };
        released = this.#settle(scope, traceparent).published;
      }
    }
    this.outbox.append(encodeEvent(publicationOf(event, forecast, { id: newId('evt'), now, traceparent })));
    if (endsStay(event, forecast)) {
      this.#db.run('UPDATE forecasts SET finished_at = ? WHERE forecast_no = ? AND finished_at IS NULL', now, forecast.forecastNo);
    }
    return released + 1;
  }

  /** Adds a forecast unless it is there; fills in one of which only the cancellation is known. */
  #addForecast(forecast: AcceptedForecast): void {
    const { changes } = this.#db.run(
      `INSERT INTO forecasts (forecast_no, tenant_id, environment, warehouse_code, forecast_type) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (forecast_no) DO UPDATE SET tenant_id = excluded.tenant_id, environment = excluded.environment,
         warehouse_code = excluded.warehouse_code, forecast_type = excluded.forecast_type WHERE tenant_id IS NULL`,
      forecast.forecastNo,
      forecast.tenantId,
      forecast.environment,
      forecast.warehouseCode,
      forecast.forecastType,
    );
    if (changes === 0) return;
    this.#db.run(
      `INSERT INTO numbers (warehouse_code, scanned_no, forecast_no)
       SELECT f.warehouse_code, j.value, f.forecast_no FROM forecasts f, json_each(?) j
       WHERE f.forecast_no = ? AND f.cancelled_at IS NULL ON CONFLICT DO NOTHING`,
      JSON.stringify(forecast.trackingNumbers),
      forecast.forecastNo,
    );
  }

  /**
   * Matches waiting events again, in the order in which they occurred.
   * @param traceparent of what makes that necessary
   * @param after goes on behind this position
   * @param limit at most this many; -1 for all
   */
  #settle(scope: Scope, traceparent: string | undefined, after: Position = FIRST, limit = -1): Settled {
    const rows = this.#db.all<WaitingRow & { readonly occurred_at: number }>(
      WAITING,
      scope.forecastNo,
      scope.warehouseCode,
      JSON.stringify(scope.numbers),
      after.occurredAt,
      after.id,
      limit,
    );
    const now = this.#clock.now();
    let published = 0;
    for (const row of rows) published += this.#matchAgain(row, now, traceparent);
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return { published, next: last && { occurredAt: last.occurred_at, id: last.id } };
  }

  /** @returns how many events were published */
  #matchAgain(row: WaitingRow, now: number, traceparent: string | undefined): number {
    const event = JSON.parse(row.event) as IntakeEvent;
    const match = matchEvent(event, this.#lookUp(event), now);
    const waiting = 'reason' in match ? match.reason : null;
    if (waiting === row.waiting) return 0;
    // An event further up may have published this one: whoever ends its waiting publishes it.
    const { changes } = this.#db.run('UPDATE events SET waiting = ? WHERE id = ? AND waiting IS NOT NULL', waiting, row.id);
    return changes > 0 && 'forecast' in match ? this.#publish(event, match.forecast, now, traceparent) : 0;
  }
}
