import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { type AcceptedForecast, type DirectoryForecast, endsStay, type IntakeEvent, scannedNumberOf } from '../domain/event.ts';
import { matchEvent, matchWith, type UnclaimedReason, unclaimedReasons } from '../domain/match.ts';
import { publicationOf } from '../domain/publication.ts';
import {
  type EventKey,
  type IntakeStore,
  MAX_COUNTED,
  type PurgeOutcome,
  type RecordOutcome,
  type ResumeOutcome,
  type UnclaimedParcel,
} from '../ports.ts';
import { SqliteDirectory } from './sqlite-directory.ts';
import { intakeMigrations, type WaitingRow } from './sqlite-intake-schema.ts';
import { countRepeat, isRefused, type KnownRow, keyOf, type Tally } from './sqlite-tally.ts';

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

/** The oldest events that wait, for any reason and for one. */
const UNCLAIMED =
  'SELECT id, event, waiting, received_at FROM events INDEXED BY events_waiting WHERE waiting IS NOT NULL ORDER BY id LIMIT ?';
const UNCLAIMED_FOR =
  'SELECT id, event, waiting, received_at FROM events INDEXED BY events_waiting_reason WHERE waiting = ? ORDER BY id LIMIT ?';

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
  /** Whose parcel the numbers are on, if the warehouse has just said so: ambiguous events under them go there. */
  readonly resolvedTo?: DirectoryForecast;
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
  readonly #directory: SqliteDirectory;

  /** @param db a file of the service's own; brought up to date here */
  constructor(db: SqliteDatabase, clock: Clock) {
    db.migrate(intakeMigrations);
    this.#db = db;
    this.#clock = clock;
    this.#directory = new SqliteDirectory(db);
    this.outbox = new SqliteOutbox(db, clock);
  }

  record(events: readonly IntakeEvent[], traceparent?: string): Promise<RecordOutcome> {
    return this.#db.transaction(() => {
      const tally: Tally = { accepted: 0, duplicates: 0, published: 0, conflicts: [], refused: [], waiting: new Map() };
      for (const event of events) {
        const known = this.#find(event);
        if (known) countRepeat(tally, event, known);
        else if (isRefused(tally, event)) tally.refused.push(keyOf(event));
        else this.#take(tally, event, traceparent);
      }
      return { ...tally, waiting: this.#stillWaiting(tally.waiting) };
    });
  }

  async accept(forecast: AcceptedForecast, traceparent?: string): Promise<{ readonly published: number }> {
    const scope = { forecastNo: forecast.forecastNo, warehouseCode: forecast.warehouseCode, numbers: forecast.trackingNumbers };
    let settled = await this.#db.transaction(() => {
      this.#directory.add(forecast);
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
      const freed = this.#directory.cancel(forecastNo, at);
      const first = freed[0];
      if (!first) return { published: 0 };
      const numbers = freed.map((row) => row.scanned_no);
      const { published } = this.#settle({ forecastNo, warehouseCode: first.warehouse_code, numbers }, traceparent);
      return { published };
    });
  }

  async unclaimed(limit: number, reason?: UnclaimedReason): Promise<readonly UnclaimedParcel[]> {
    const rows = this.#db.all<WaitingRow & { readonly received_at: number }>(
      reason === undefined ? UNCLAIMED : UNCLAIMED_FOR,
      ...(reason === undefined ? [] : [reason]),
      limit,
    );
    return rows.map((row) => {
      const event = JSON.parse(row.event) as IntakeEvent;
      return { event, type: event.detail.type, reason: row.waiting, receivedAt: row.received_at };
    });
  }

  async countUnclaimed(): Promise<Readonly<Record<UnclaimedReason, number>>> {
    const counts = unclaimedReasons.map((reason) => {
      const row = this.#db.get<{ count: number }>(
        'SELECT count(*) AS count FROM (SELECT 1 FROM events WHERE waiting = ? LIMIT ?)',
        reason,
        MAX_COUNTED,
      );
      return [reason, row?.count ?? 0] as const;
    });
    return Object.fromEntries(counts) as Record<UnclaimedReason, number>;
  }

  purge(before: number, limit: number): Promise<PurgeOutcome> {
    return this.#db.transaction(() => {
      const old = this.#db.all<{ id: number; warehouse_code: string; event_id: string; waiting: string | null }>(
        'SELECT id, warehouse_code, event_id, waiting FROM events WHERE received_at < ? ORDER BY received_at LIMIT ?',
        before,
        limit,
      );
      this.#db.run('DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(old.map((row) => row.id)));
      this.#directory.purge(before, limit);
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

  /** Stores a new event and publishes what it can, unless its forecast does not take it. */
  #take(tally: Tally, event: IntakeEvent, traceparent: string | undefined): void {
    const now = this.#clock.now();
    const match = matchEvent(event, this.#directory.lookUp(event), now);
    const waiting = 'reason' in match ? match.reason : null;
    if (waiting === 'takes_no_dispatch') {
      tally.refused.push(keyOf(event));
      return;
    }
    const { lastInsertRowid } = this.#db.run(
      `INSERT INTO events (warehouse_code, event_id, forecast_no, scanned_no, occurred_at, received_at, event, waiting)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      event.warehouseCode,
      event.eventId,
      event.forecastNo,
      scannedNumberOf(event),
      Date.parse(event.occurredAt),
      now,
      JSON.stringify(event),
      waiting,
    );
    tally.accepted += 1;
    if ('forecast' in match) tally.published += this.#publish(event, match.forecast, now, traceparent);
    else tally.waiting.set(Number(lastInsertRowid), match);
  }

  /** The event as it was stored first. */
  #find({ warehouseCode, eventId }: EventKey): KnownRow | undefined {
    return this.#db.get('SELECT id, event, waiting FROM events WHERE warehouse_code = ? AND event_id = ?', warehouseCode, eventId);
  }

  /** Those of the events that wait still: one further down in the call may have released one further up. */
  #stillWaiting(waiting: Tally['waiting']): RecordOutcome['waiting'] {
    if (waiting.size === 0) return [];
    const rows = this.#db.all<{ id: number; warehouse_code: string; event_id: string; waiting: UnclaimedReason }>(
      `SELECT id, warehouse_code, event_id, waiting FROM events
       WHERE id IN (SELECT value FROM json_each(?)) AND waiting IS NOT NULL ORDER BY id`,
      JSON.stringify([...waiting.keys()]),
    );
    return rows.map((row) => {
      const match = waiting.get(row.id);
      const key = { warehouseCode: row.warehouse_code, eventId: row.event_id };
      return match?.reason === row.waiting ? { ...key, ...match } : { ...key, reason: row.waiting };
    });
  }

  /**
   * Writes the publication of a matched event and what follows from it. A warehouse that names forecast and number
   * together says whose parcel that number is on, so events that waited for just that go there, and first.
   * @returns how many events were published
   */
  #publish(event: IntakeEvent, forecast: DirectoryForecast, now: number, traceparent: string | undefined): number {
    const scanned = scannedNumberOf(event);
    let released = 0;
    if (scanned !== null && this.#directory.claim(forecast, scanned) && event.forecastNo !== null) {
      const scope = { forecastNo: null, warehouseCode: forecast.warehouseCode, numbers: [scanned], resolvedTo: forecast };
      released = this.#settle(scope, traceparent).published;
    }
    this.outbox.append(encodeEvent(publicationOf(event, forecast, { id: newId('evt'), now, traceparent })));
    if (endsStay(event, forecast)) this.#directory.end(forecast.forecastNo, now);
    return released + 1;
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
    for (const row of rows) published += this.#matchAgain(row, scope.resolvedTo, now, traceparent);
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return { published, next: last && { occurredAt: last.occurred_at, id: last.id } };
  }

  /** @returns how many events were published */
  #matchAgain(row: WaitingRow, resolvedTo: DirectoryForecast | undefined, now: number, traceparent: string | undefined): number {
    const event = JSON.parse(row.event) as IntakeEvent;
    const isResolved = resolvedTo !== undefined && row.waiting === 'ambiguous';
    const match = isResolved ? matchWith(event, resolvedTo) : matchEvent(event, this.#directory.lookUp(event), now);
    const waiting = 'reason' in match ? match.reason : null;
    if (waiting === row.waiting) return 0;
    // An event further up may have published this one: whoever ends its waiting publishes it.
    const { changes } = this.#db.run('UPDATE events SET waiting = ? WHERE id = ? AND waiting IS NOT NULL', waiting, row.id);
    return changes > 0 && 'forecast' in match ? this.#publish(event, match.forecast, now, traceparent) : 0;
  }
}
