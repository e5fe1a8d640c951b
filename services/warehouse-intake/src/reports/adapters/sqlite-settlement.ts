import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { MessageLog } from '@parcelway/sqlite/message-log';
import type { SqliteDirectory } from '../../expected/adapters/sqlite-directory.ts';
import type { ScannedNumber } from '../../expected/domain/directory.ts';
import { type EventKey, type IntakeEvent, isMatched, storedEvent } from '../../expected/domain/event.ts';
import type { UnclaimedReason } from '../../expected/domain/match.ts';
import type { ListedForecast } from '../../expected/domain/match-batch.ts';
import type { OpenResolution } from '../../expected/domain/resolution.ts';
import { isMeant } from '../domain/claim-or-dismiss.ts';
import { decideWaiting, type Publication, releasableNumbers, type WaitingCandidate, type WaitingChange } from '../domain/decide-waiting.ts';
import { publicationOf } from '../domain/publication.ts';
import type { TraceOf } from '../domain/trace.ts';
import type { UnclaimedParcel } from '../ports.ts';

/** Waiting events that one transaction matches again, so that a crowd of them does not hold up everything else. */
export const SETTLE_BATCH = 500;

const COLUMNS = 'id, event, waiting, occurred_at, received_at, resolution';
const IN_ORDER = 'ORDER BY occurred_at, id LIMIT ?';

/** Waiting events that name a forecast, behind a {@link Position}. */
const WAITING_NAMED = `SELECT ${COLUMNS} FROM events INDEXED BY events_waiting_named
  WHERE waiting IS NOT NULL AND forecast_no = ? AND (occurred_at, id) > (?, ?) ${IN_ORDER}`;

/** Waiting events under a scanned number at a warehouse, behind a {@link Position}. */
const WAITING_SCANNED = `SELECT ${COLUMNS} FROM events INDEXED BY events_waiting_scanned
  WHERE waiting IS NOT NULL AND forecast_no IS NULL AND warehouse_code = ? AND scanned_no = ? AND (occurred_at, id) > (?, ?) ${IN_ORDER}`;

/** An event that was published for a forecast. */
const PUBLISHED = `SELECT ${COLUMNS} FROM events WHERE warehouse_code = ? AND event_id = ? AND published_to = ? AND waiting IS NULL`;

/** Position in the order in which events occurred. */
export interface Position {
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  readonly id: number;
}

/** Before every event. */
export const FIRST: Position = { occurredAt: Number.MIN_SAFE_INTEGER, id: 0 };

/** Which waiting events: those that name the forecast, and those with one of the numbers at the warehouse. */
export interface Scope {
  readonly forecastNo: string | null;
  readonly warehouseCode: string;
  readonly numbers: readonly string[];
}

/** What one step of matching again has done. */
export interface Settled {
  readonly published: number;
  /** Waiting events that were read. */
  readonly matched: number;
  /** Where the next step goes on; undefined when this was the last. */
  readonly next: Position | undefined;
}

/** What new events are decided by: the directory, and the waiting events that they may release. */
export interface MatchState {
  readonly listed: readonly ListedForecast[];
  readonly waiting: readonly Candidate[];
}

type Row = WaitingRow & {
  readonly occurred_at: number;
  readonly received_at: number;
  readonly resolution: number | null;
};

type Candidate = WaitingCandidate<Row>;

const toCandidate = (row: Row): Candidate => ({ event: storedEvent(row.event), stored: row, waiting: row.waiting });

/**
 * Reads what waits, and writes what the domain decides of it. An event that a resolution has reserved is left to that. Every method belongs into a
 * transaction of the intake's store.
 */
export class SqliteSettlement {
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;
  readonly #directory: SqliteDirectory;
  readonly #log: MessageLog;

  /** @param db migrated with intakeMigrations */
  constructor(db: SqliteDatabase, clock: Clock, directory: SqliteDirectory, log: MessageLog) {
    this.#db = db;
    this.#clock = clock;
    this.#directory = directory;
    this.#log = log;
  }

  /** Reads what a match of new events depends on. */
  stateFor(events: readonly IntakeEvent[]): MatchState {
    const listed = this.#directory.lookUp(events.map((event) => ({ event })));
    return { listed, waiting: this.#releasable(events, listed) };
  }

  /**
   * Matches waiting events again, in the order in which they occurred.
   * @param trace of what makes that necessary
   * @param after goes on behind this position
   * @param limit at most this many; -1 for all
   */
  settle(scope: Scope, trace: TraceOf, after: Position = FIRST, limit = -1): Settled {
    const rows = this.#waiting(scope, after, limit);
    const candidates = rows.filter(({ resolution }) => resolution === null).map(toCandidate);
    return { published: this.#settle(candidates, trace), matched: rows.length, next: nextOf(rows, limit) };
  }

  /** Has a published event wait again, and matches it. Nothing when it was not matched with that forecast, or is not with it any more. */
  rematch({ warehouseCode, eventId }: EventKey, forecastNo: string, trace: TraceOf): Settled {
    const row = this.#db.get<Row>(PUBLISHED, warehouseCode, eventId, forecastNo);
    if (row === undefined || !isMatched(storedEvent(row.event), forecastNo)) return { published: 0, matched: 0, next: undefined };
    this.#db.run("UPDATE events SET waiting = 'no_forecast', published_to = NULL, resolution = NULL WHERE id = ?", row.id);
    const candidate = toCandidate({ ...row, waiting: 'no_forecast', resolution: null });
    return { published: this.#settle([candidate], trace), matched: 1, next: undefined };
  }

  /**
   * Ends the waiting of the events under a number, in the order in which they occurred. Those that the forecast does not take wait on.
   * @param trace of what asks for it
   * @param after goes on behind this position
   */
  resolve(resolution: OpenResolution & { readonly rowId: number }, trace: TraceOf, after: Position): Settled {
    const { number, forecastNo, rowId } = resolution;
    const { kind, warehouseCode } = number;
    const scope =
      kind === 'named'
        ? { forecastNo: number.number, warehouseCode, numbers: [] }
        : { forecastNo: null, warehouseCode, numbers: [number.number] };
    const rows = this.#waiting(scope, after, SETTLE_BATCH);
    const meant = rows.map(toCandidate).filter(({ event, stored }) =>
      isMeant(resolution, {
        event,
        receivedAt: stored.received_at,
        reservedBy: stored.resolution === null ? null : String(stored.resolution),
      }),
    );
    const next = nextOf(rows, SETTLE_BATCH);
    if (forecastNo !== null) {
      const claimed = meant.map((each) => ({ ...each, resolvedTo: forecastNo }));
      return { published: this.#settle(claimed, trace, rowId), matched: rows.length, next };
    }
    for (const { stored } of meant) {
      this.#db.run('UPDATE events SET waiting = NULL, resolution = ? WHERE id = ?', rowId, stored.id);
    }
    return { published: 0, matched: rows.length, next };
  }

  /**
   * Writes what becomes of waiting events: the reason, or the forecast.
   * @param resolution that ends the waiting of those that are for its own forecast
   */
  write(changes: readonly WaitingChange<Row>[], resolution?: number): void {
    for (const { stored, becomes } of changes) {
      if ('reason' in becomes) this.#db.run('UPDATE events SET waiting = ? WHERE id = ?', becomes.reason, stored.id);
      else {
        const by = resolution ?? stored.resolution;
        this.#db.run(
          'UPDATE events SET waiting = NULL, published_to = ?, resolution = ? WHERE id = ?',
          becomes.forecast.forecastNo,
          by,
          stored.id,
        );
      }
    }
  }

  /** Writes publications and what they change in the directory. @param now epoch milliseconds */
  publish(publications: readonly Publication[], now: number, trace: TraceOf): void {
    for (const publication of publications) {
      const { event, forecast, claims, ends } = publication;
      const number = claims ? event.scannedNumber : null;
      if (number !== null) this.#directory.claim({ warehouseCode: forecast.warehouseCode, number }, forecast.forecastNo);
      this.#log.append(encodeEvent(publicationOf(event, forecast, { id: newId('evt'), now, traceparent: trace(publication) })));
      if (ends) this.#directory.finish(forecast.forecastNo, now);
    }
  }

  #settle(candidates: readonly Candidate[], trace: TraceOf, resolution?: number): number {
    if (candidates.length === 0) return 0;
    const now = this.#clock.now();
    const listed = this.#directory.lookUp(candidates);
    const own = new Set(candidates.map(({ stored }) => stored.id));
    const parked = this.#releasable(
      candidates.map(({ event }) => event),
      listed,
    ).filter(({ stored }) => !own.has(stored.id));
    const { changes, publications } = decideWaiting([...candidates, ...parked], listed, now);
    this.write(
      changes.filter(({ stored }) => own.has(stored.id)),
      resolution,
    );
    this.write(changes.filter(({ stored }) => !own.has(stored.id)));
    const published = publications.map(({ becomes }) => becomes).filter((becomes) => !('reason' in becomes)) as Publication[];
    this.publish(published, now, trace);
    return published.length;
  }

  /** Waiting events that the events may release (domain/decide-waiting). */
  #releasable(events: readonly IntakeEvent[], listed: readonly ListedForecast[]): readonly Candidate[] {
    return releasableNumbers(events, listed)
      .flatMap(({ warehouseCode, number }: ScannedNumber) =>
        this.#waiting({ forecastNo: null, warehouseCode, numbers: [number] }, FIRST, -1),
      )
      .filter(({ resolution }) => resolution === null)
      .map((row) => ({ ...toCandidate(row), isParked: true }));
  }

  /** Of the forecast and of each number no more than the limit are read, so that a crowd that is matched in steps is not read again for each. */
  #waiting({ forecastNo, warehouseCode, numbers }: Scope, { occurredAt, id }: Position, limit: number): readonly Row[] {
    const named = forecastNo === null ? [] : this.#db.all<Row>(WAITING_NAMED, forecastNo, occurredAt, id, limit);
    const wanted = numbers.length > 1 ? new Set(numbers) : numbers;
    const found = [named];
    for (const number of wanted) found.push(this.#db.all<Row>(WAITING_SCANNED, warehouseCode, number, occurredAt, id, limit));
    const rows = found.filter(({ length }) => length > 0);
    if (rows.length <= 1) return rows[0] ?? [];
    const inOrder = rows.flat().sort((a, b) => a.occurred_at - b.occurred_at || a.id - b.id);
    return limit < 0 ? inOrder : inOrder.slice(0, limit);
  }
}

function nextOf(rows: readonly Row[], limit: number): Position | undefined {
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return last && { occurredAt: last.occurred_at, id: last.id };
}

/** An event without a forecast, as a list shows it. */
export interface UnclaimedRow extends WaitingRow {
  readonly received_at: number;
}

/** An event without a forecast. */
export interface WaitingRow {
  readonly id: number;
  readonly event: string;
  readonly waiting: UnclaimedReason;
}

/** A row as the port shows it. */
export function unclaimedOf(row: UnclaimedRow): UnclaimedParcel {
  const event = storedEvent(row.event);
  return { event, type: event.detail.type, reason: row.waiting, receivedAt: row.received_at };
}
