import type { Clock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { MessageLog } from '@parcelway/sqlite/message-log';
import { SqliteDirectory } from '../../expected/adapters/sqlite-directory.ts';
import { SqliteNumberCounts } from '../../expected/adapters/sqlite-number-counts.ts';
import type { DeclaredNumbers } from '../../expected/domain/declared-numbers.ts';
import type { ScannedNumber } from '../../expected/domain/directory.ts';
import { eventKey, type IntakeEvent } from '../../expected/domain/event.ts';
import { changeOf, type ForecastFact, forecastNoOf } from '../../expected/domain/forecast-fact.ts';
import { type UnclaimedReason, unclaimedReasons } from '../../expected/domain/match.ts';
import { reportKindOf } from '../../expected/domain/parcel-reports.ts';
import type { Resolution, ResolutionRequest } from '../../expected/domain/resolution.ts';
import { decideReports, type NewEvent, type RecordOutcome, type StoredReport } from '../domain/decide-reports.ts';
import { type ReportTrace, type TraceOf, tracesOfReports } from '../domain/trace.ts';
import {
  type IntakeStore,
  MAX_COUNTED,
  type PurgeOutcome,
  type ResolutionQuery,
  type ResolveOutcome,
  type ResumeOutcome,
  type UnclaimedParcel,
} from '../ports.ts';
import { SqliteResolutions } from './sqlite-resolutions.ts';
import { FIRST, type Position, SETTLE_BATCH, type Settled, SqliteSettlement, type UnclaimedRow, unclaimedOf } from './sqlite-settlement.ts';

/** The oldest events that wait, for any reason and for one. */
const UNCLAIMED =
  'SELECT id, event, waiting, received_at FROM events INDEXED BY events_waiting WHERE waiting IS NOT NULL ORDER BY id LIMIT ?';
const UNCLAIMED_FOR =
  'SELECT id, event, waiting, received_at FROM events INDEXED BY events_waiting_reason WHERE waiting = ? ORDER BY id LIMIT ?';

/** How far a batch of facts has been followed. */
interface FollowPlace {
  /** Index of the fact that is next. */
  readonly fact: number;
  /** Behind which of its waiting events it goes on; undefined when it has not begun. */
  readonly after: Position | undefined;
}

/** What one step of following facts has done. */
interface Followed {
  readonly published: number;
  readonly next: FollowPlace;
}

const NOTHING: Settled = { published: 0, matched: 0, next: undefined };

/** The intake's store in SQLite. Every decision is made inside the transaction that acts on it. */
export class SqliteIntakeStore implements IntakeStore {
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;
  readonly #counts: SqliteNumberCounts;
  readonly #directory: SqliteDirectory;
  readonly #settlement: SqliteSettlement;
  readonly #resolutions: SqliteResolutions;

  /** @param db migrated with intakeMigrations; `log` in the same file */
  constructor(db: SqliteDatabase, clock: Clock, log: MessageLog) {
    this.#db = db;
    this.#clock = clock;
    this.#counts = new SqliteNumberCounts(db, clock);
    this.#directory = new SqliteDirectory(db, this.#counts);
    this.#settlement = new SqliteSettlement(db, clock, this.#directory, log);
    this.#resolutions = new SqliteResolutions(db, clock, this.#directory, this.#settlement);
  }

  record(events: readonly IntakeEvent[], traceOf: ReportTrace = () => undefined): Promise<RecordOutcome> {
    const trace = tracesOfReports(events, traceOf);
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
        trace,
      );
      return outcome;
    });
  }

  /** As many facts in one transaction as match no more than a crowd again. A crash in between loses nothing: the facts are delivered again. */
  async follow(facts: readonly ForecastFact[]): Promise<{ readonly published: number }> {
    let published = 0;
    let place: FollowPlace = { fact: 0, after: undefined };
    while (place.fact < facts.length) {
      const from = place;
      const step = await this.#db.transaction(() => this.#followSome(facts, from), { flushLater: true });
      published += step.published;
      place = step.next;
    }
    return { published };
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

  declaredNumbers(limit: number): Promise<readonly DeclaredNumbers[]> {
    return this.#counts.declaredNumbers(limit);
  }

  limitedNumbers(limit: number): Promise<readonly DeclaredNumbers[]> {
    return this.#counts.limitedNumbers(limit);
  }

  suspectsAmong(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#counts.suspectsAmong(tenantIds);
  }

  async seenUnder(scanned: ScannedNumber, forecastNos: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#directory.seenUnder(scanned, forecastNos);
  }

  limitNumbers(tenantId: string, limit: number | null): Promise<DeclaredNumbers> {
    return this.#counts.limitNumbers(tenantId, limit);
  }

  async check(): Promise<void> {
    this.#db.get('SELECT 1 AS one');
  }

  #followSome(facts: readonly ForecastFact[], { fact: first, after }: FollowPlace): Followed {
    let left = SETTLE_BATCH;
    let published = 0;
    for (let index = first; index < facts.length; index += 1) {
      if (left <= 0) return { published, next: { fact: index, after: undefined } };
      const step = this.#followOne(facts[index] as ForecastFact, index === first ? after : undefined);
      published += step.published;
      left -= step.matched;
      if (step.next !== undefined) return { published, next: { fact: index, after: step.next } };
    }
    return { published, next: { fact: facts.length, after: undefined } };
  }

  /** @param after goes on behind this position; undefined begins */
  #followOne(fact: ForecastFact, after: Position | undefined): Settled {
    const trace = (): string | undefined => fact.traceparent;
    const released = after === undefined ? this.#settleReleased(fact, trace) : NOTHING;
    if (fact.kind === 'cancelled') return released;
    if (fact.kind === 'refused') {
      const returned = this.#settlement.rematch(fact.report, fact.forecastNo, trace);
      return { ...returned, published: released.published + returned.published, matched: released.matched + returned.matched };
    }
    const { forecastNo, warehouseCode, trackingNumbers: numbers } = fact.forecast;
    const settled = this.#settlement.settle({ forecastNo, warehouseCode, numbers }, trace, after ?? FIRST, SETTLE_BATCH);
    return { ...settled, published: released.published + settled.published, matched: released.matched + settled.matched };
  }

  /** Changes the directory, and matches the events again under the numbers that do not lead to the forecast any more. */
  #settleReleased(fact: ForecastFact, trace: TraceOf): Settled {
    const forecastNo = forecastNoOf(fact);
    const entry = this.#directory.change(forecastNo, changeOf(fact));
    const [first] = entry?.released ?? [];
    if (entry === undefined || first === undefined) return NOTHING;
    const numbers = entry.released.map(({ number }) => number);
    // After a correction the events that name the forecast are matched by what it is now, with the others.
    const named = 'forecast' in fact ? null : forecastNo;
    return this.#settlement.settle({ forecastNo: named, warehouseCode: first.warehouseCode, numbers }, trace);
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
      event.scannedNumber,
      Date.parse(event.occurredAt),
      now,
      text,
      reportKindOf(event),
      'reason' in match ? match.reason : null,
      'forecast' in match ? match.forecast.forecastNo : null,
    );
  }
}
