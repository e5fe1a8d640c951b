import type { Clock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { decideReports, eventKey, type NewEvent, type RecordOutcome, type StoredReport } from '../domain/decide-reports.ts';
import { acceptedEntry, cancelledEntry, correctedEntry, type DirectoryChange, type DirectoryEntry } from '../domain/directory.ts';
import { type AcceptedForecast, type CorrectedForecast, type IntakeEvent, scannedNumberOf } from '../domain/event.ts';
import { type UnclaimedReason, unclaimedReasons } from '../domain/match.ts';
import { reportKindOf } from '../domain/parcel-reports.ts';
import type { Resolution, ResolutionRequest } from '../domain/resolution.ts';
import {
  type IntakeStore,
  MAX_COUNTED,
  type PurgeOutcome,
  type ResolutionQuery,
  type ResolveOutcome,
  type ResumeOutcome,
  type UnclaimedParcel,
} from '../ports.ts';
import { SqliteDirectory } from './sqlite-directory.ts';
import { type UnclaimedRow, unclaimedOf } from './sqlite-intake-schema.ts';
import { SqliteResolutions } from './sqlite-resolutions.ts';
import { FIRST, SETTLE_BATCH, SqliteSettlement } from './sqlite-settlement.ts';

/** The oldest events that wait, for any reason and for one. */
const UNCLAIMED =
  'SELECT id, event, waiting, received_at FROM events INDEXED BY events_waiting WHERE waiting IS NOT NULL ORDER BY id LIMIT ?';
const UNCLAIMED_FOR =
  'SELECT id, event, waiting, received_at FROM events INDEXED BY events_waiting_reason WHERE waiting = ? ORDER BY id LIMIT ?';

/** The intake's store in SQLite. Every decision is made inside the transaction that acts on it. */
export class SqliteIntakeStore implements IntakeStore {
  /** Publications that wait for the relay. */
  readonly outbox: SqliteOutbox;
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;
  readonly #directory: SqliteDirectory;
  readonly #settlement: SqliteSettlement;
  readonly #resolutions: SqliteResolutions;

  /** @param db migrated with intakeMigrations */
  constructor(db: SqliteDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#directory = new SqliteDirectory(db);
    this.outbox = new SqliteOutbox(db, clock);
    this.#settlement = new SqliteSettlement(db, clock, this.#directory, this.outbox);
    this.#resolutions = new SqliteResolutions(db, clock, this.#directory, this.#settlement);
  }

  record(events: readonly IntakeEvent[], traceparent?: string): Promise<RecordOutcome> {
    return this.#db.transaction(() => {
      const now = this.#clock.now();
      const stored = this.#stored(events);
      const state = this.#settlement.stateFor(stored.size === 0 ? events : events.filter((event) => !stored.has(eventKey(event))));
      const { inserts, released, publications, outcome } = decideReports(events, { stored, ...state }, now);
      for (const insert of inserts) this.#insert(insert, now);
      this.#settlement.write(released.changes);
      this.#settlement.publish(
        publications.map(({ publication }) => publication),
        now,
        traceparent,
      );
      return outcome;
    });
  }

  accept(forecast: AcceptedForecast, traceparent?: string): Promise<{ readonly published: number }> {
    return this.#settleAfter(forecast, traceparent, (entry) => acceptedEntry(entry, forecast));
  }

  correct(forecast: CorrectedForecast, traceparent?: string): Promise<{ readonly published: number }> {
    return this.#settleAfter(forecast, traceparent, (entry) => correctedEntry(entry, forecast));
  }

  cancel(forecastNo: string, at: number, traceparent?: string): Promise<{ readonly published: number }> {
    return this.#db.transaction(() => {
      const entry = this.#directory.change(forecastNo, (before) => cancelledEntry(before, forecastNo, at));
      return { published: this.#settleReleased(entry, forecastNo, traceparent) };
    });
  }

  async unclaimed(limit: number, reason?: UnclaimedReason): Promise<readonly UnclaimedParcel[]> {
    const rows = this.#db.all<UnclaimedRow>(
      reason === undefined ? UNCLAIMED : UNCLAIMED_FOR,
      ...(reason === undefined ? [] : [reason]),
      limit,
    );
    return rows.map(unclaimedOf);
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
      // A resolution is younger than its events: it goes when none of its time is left.
      if (old.length < limit) this.#resolutions.purge(before, limit);
      const unclaimed = old
        .filter((row) => row.waiting !== null)
        .map((row) => ({ warehouseCode: row.warehouse_code, eventId: row.event_id }));
      return { deleted: old.length, unclaimed };
    });
  }

  /** Each step is one transaction, so none is ever cut in two; with the crowd of an acceptance the bus goes on. What is left are crowds that were being resolved. */
  resume(before: number, limit: number): Promise<ResumeOutcome> {
    return this.#resolutions.resume(before, limit);
  }

  resolve(request: ResolutionRequest, traceparent?: string): Promise<ResolveOutcome> {
    return this.#resolutions.resolve(request, traceparent);
  }

  async resolutions(query: ResolutionQuery): Promise<readonly Resolution[]> {
    return this.#resolutions.list(query);
  }

  async check(): Promise<void> {
    this.#db.get('SELECT 1 AS one');
  }

  /**
   * Changes the directory and publishes what waited for the forecast, in steps. A crash in between loses nothing: what caused it is delivered again
   * and goes on from here.
   * @param change in one transaction with the first step
   */
  async #settleAfter(
    { forecastNo, warehouseCode, trackingNumbers: numbers }: AcceptedForecast,
    traceparent: string | undefined,
    change: DirectoryChange,
  ): Promise<{ readonly published: number }> {
    const scope = { forecastNo, warehouseCode, numbers };
    let published = 0;
    let settled = await this.#db.transaction(() => {
      published = this.#settleReleased(this.#directory.change(forecastNo, change), null, traceparent);
      return this.#settlement.settle(scope, traceparent, FIRST, SETTLE_BATCH);
    });
    published += settled.published;
    while (settled.next) {
      const { next } = settled;
      settled = await this.#db.transaction(() => this.#settlement.settle(scope, traceparent, next, SETTLE_BATCH));
      published += settled.published;
    }
    return { published };
  }

  /** Matches the events under the numbers again that do not lead to a forecast any more. @param forecastNo of events that name it, too */
  #settleReleased(entry: DirectoryEntry | undefined, forecastNo: string | null, traceparent: string | undefined): number {
    const [first] = entry?.released ?? [];
    if (entry === undefined || first === undefined) return 0;
    const numbers = entry.released.map(({ number }) => number);
    return this.#settlement.settle({ forecastNo, warehouseCode: first.warehouseCode, numbers }, traceparent).published;
  }

  /** Those of the events that are stored. */
  #stored(events: readonly IntakeEvent[]): ReadonlyMap<string, StoredReport> {
    const stored = new Map<string, StoredReport>();
    for (const event of events) {
      const row = this.#db.get<{ event: string; waiting: UnclaimedReason | null }>(
        'SELECT event, waiting FROM events WHERE warehouse_code = ? AND event_id = ?',
        event.warehouseCode,
        event.eventId,
      );
      if (row !== undefined) stored.set(eventKey(event), { text: row.event, waiting: row.waiting });
    }
    return stored;
  }

  #insert({ event, text, match }: NewEvent, now: number): void {
    this.#db.run(
      `INSERT INTO events (warehouse_code, event_id, forecast_no, scanned_no, occurred_at, received_at, event, report_kind, waiting, published_to)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      event.warehouseCode,
      event.eventId,
      event.forecastNo,
      scannedNumberOf(event),
      Date.parse(event.occurredAt),
      now,
      text,
      reportKindOf(event),
      'reason' in match ? match.reason : null,
      'forecast' in match ? match.forecast.forecastNo : null,
    );
  }
}
