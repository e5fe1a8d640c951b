import type { Clock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { type AcceptedForecast, type CorrectedForecast, type IntakeEvent, scannedNumberOf } from '../domain/event.ts';
import { type DirectoryAnswer, matchEvent, type UnclaimedReason, unclaimedReasons } from '../domain/match.ts';
import { reportKindOf } from '../domain/parcel-reports.ts';
import type { Resolution, ResolutionRequest } from '../domain/resolution.ts';
import {
  type EventKey,
  type IntakeStore,
  MAX_COUNTED,
  type PurgeOutcome,
  type RecordOutcome,
  type ResolutionQuery,
  type ResolveOutcome,
  type ResumeOutcome,
  type UnclaimedParcel,
} from '../ports.ts';
import { SqliteDirectory } from './sqlite-directory.ts';
import { intakeMigrations, type UnclaimedRow, unclaimedOf } from './sqlite-intake-schema.ts';
import { SqliteResolutions } from './sqlite-resolutions.ts';
import { FIRST, SETTLE_BATCH, SqliteSettlement } from './sqlite-settlement.ts';
import { countRepeat, isRefused, type KnownRow, keyOf, type Tally } from './sqlite-tally.ts';

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

  /** @param db a file of the service's own; brought up to date here */
  constructor(db: SqliteDatabase, clock: Clock) {
    db.migrate(intakeMigrations);
    this.#db = db;
    this.#clock = clock;
    this.#directory = new SqliteDirectory(db);
    this.outbox = new SqliteOutbox(db, clock);
    this.#settlement = new SqliteSettlement(db, clock, this.#directory, this.outbox);
    this.#resolutions = new SqliteResolutions(db, clock, this.#directory, this.#settlement);
  }

  record(events: readonly IntakeEvent[], traceparent?: string): Promise<RecordOutcome> {
    return this.#db.transaction(() => {
      const directory = new Map<string, DirectoryAnswer>();
      const tally: Tally = { accepted: 0, duplicates: 0, published: 0, conflicts: [], refused: [], waiting: new Map() };
      for (const event of events) {
        const known = this.#find(event);
        if (known) countRepeat(tally, event, known);
        else if (isRefused(tally, event)) tally.refused.push(keyOf(event));
        else this.#take(tally, event, traceparent, directory);
      }
      return { ...tally, waiting: this.#stillWaiting(tally.waiting) };
    });
  }

  accept(forecast: AcceptedForecast, traceparent?: string): Promise<{ readonly published: number }> {
    return this.#settleAfter(forecast, traceparent, () => {
      this.#directory.add(forecast);
      return 0;
    });
  }

  correct(forecast: CorrectedForecast, traceparent?: string): Promise<{ readonly published: number }> {
    return this.#settleAfter(forecast, traceparent, () => {
      this.#directory.add(forecast);
      const freed = this.#directory.correct(forecast);
      return freed === undefined ? 0 : this.#settlement.settle({ forecastNo: null, ...freed }, traceparent).published;
    });
  }

  cancel(forecastNo: string, at: number, traceparent?: string): Promise<{ readonly published: number }> {
    return this.#db.transaction(() => {
      const freed = this.#directory.cancel(forecastNo, at);
      const first = freed[0];
      if (!first) return { published: 0 };
      const numbers = freed.map((row) => row.scanned_no);
      const { published } = this.#settlement.settle({ forecastNo, warehouseCode: first.warehouse_code, numbers }, traceparent);
      return { published };
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
   * @param change in one transaction with the first step. @returns how many events it has published
   */
  async #settleAfter(
    forecast: AcceptedForecast,
    traceparent: string | undefined,
    change: () => number,
  ): Promise<{ readonly published: number }> {
    const { forecastNo, warehouseCode, trackingNumbers: numbers } = forecast;
    const scope = { forecastNo, warehouseCode, numbers };
    let published = 0;
    let settled = await this.#db.transaction(() => {
      published = change();
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

  /**
   * Stores a new event and publishes what it can, unless its forecast does not take it.
   * @param known what the directory has said in this transaction since it was last changed: of a crowd under one number it says much
   */
  #take(tally: Tally, event: IntakeEvent, traceparent: string | undefined, known: Map<string, DirectoryAnswer>): void {
    const now = this.#clock.now();
    const key = `${event.warehouseCode} ${event.forecastNo ?? ''} ${scannedNumberOf(event) ?? ''}`;
    const answer = known.get(key) ?? this.#directory.lookUp(event);
    known.set(key, answer);
    const match = matchEvent(event, answer, now);
    const waiting = 'reason' in match ? match.reason : null;
    if (waiting === 'takes_no_dispatch') {
      tally.refused.push(keyOf(event));
      return;
    }
    const { lastInsertRowid } = this.#db.run(
      `INSERT INTO events (warehouse_code, event_id, forecast_no, scanned_no, occurred_at, received_at, event, report_kind, waiting, published_to)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      event.warehouseCode,
      event.eventId,
      event.forecastNo,
      scannedNumberOf(event),
      Date.parse(event.occurredAt),
      now,
      JSON.stringify(event),
      reportKindOf(event),
      waiting,
      'forecast' in match ? match.forecast.forecastNo : null,
    );
    tally.accepted += 1;
    if ('forecast' in match) {
      tally.published += this.#settlement.publish(event, match.forecast, now, traceparent);
      known.clear();
    } else tally.waiting.set(Number(lastInsertRowid), match);
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
}
