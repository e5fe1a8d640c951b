import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { type DirectoryForecast, endsStay, type IntakeEvent, scannedNumberOf } from '../domain/event.ts';
import { matchEvent, matchWith } from '../domain/match.ts';
import { publicationOf } from '../domain/publication.ts';
import type { WaitingNumber } from '../domain/resolution.ts';
import type { SqliteDirectory } from './sqlite-directory.ts';
import type { WaitingRow } from './sqlite-intake-schema.ts';

/** Waiting events that one transaction matches again, so that a crowd of them does not hold up everything else. */
export const SETTLE_BATCH = 500;

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
  /** Whose parcel the numbers are on, if the warehouse has just said so: ambiguous events under them go there. */
  readonly resolvedTo?: DirectoryForecast;
}

/** A resolution that is carried out. */
export interface OpenResolution {
  readonly id: number;
  readonly number: WaitingNumber;
  /** Whose parcel it is; null for a dismissal. */
  readonly forecast: DirectoryForecast | null;
}

/** What one step of matching again has done. */
export interface Settled {
  readonly published: number;
  /** Where the next step goes on; undefined when this was the last. */
  readonly next: Position | undefined;
}

type PositionedRow = WaitingRow & { readonly occurred_at: number };

/** Ends the waiting of events. Every method belongs into a transaction of the intake's store. */
export class SqliteSettlement {
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;
  readonly #directory: SqliteDirectory;
  readonly #outbox: SqliteOutbox;

  /** @param db migrated with intakeMigrations */
  constructor(db: SqliteDatabase, clock: Clock, directory: SqliteDirectory, outbox: SqliteOutbox) {
    this.#db = db;
    this.#clock = clock;
    this.#directory = directory;
    this.#outbox = outbox;
  }

  /**
   * Writes the publication of a matched event and what follows from it. A warehouse that names forecast and number
   * together says whose parcel that number is on, so events that waited for just that go there, and first.
   * @returns how many events were published
   */
  publish(event: IntakeEvent, forecast: DirectoryForecast, now: number, traceparent: string | undefined): number {
    const scanned = scannedNumberOf(event);
    let released = 0;
    if (scanned !== null && this.#directory.claim(forecast, scanned) && event.forecastNo !== null) {
      const scope = { forecastNo: null, warehouseCode: forecast.warehouseCode, numbers: [scanned], resolvedTo: forecast };
      released = this.settle(scope, traceparent).published;
    }
    this.#outbox.append(encodeEvent(publicationOf(event, forecast, { id: newId('evt'), now, traceparent })));
    if (endsStay(event, forecast)) this.#directory.end(forecast.forecastNo, now);
    return released + 1;
  }

  /**
   * Matches waiting events again, in the order in which they occurred.
   * @param traceparent of what makes that necessary
   * @param after goes on behind this position
   * @param limit at most this many; -1 for all
   */
  settle(scope: Scope, traceparent: string | undefined, after: Position = FIRST, limit = -1): Settled {
    return this.#eachWaiting(scope, after, limit, (row, now) => {
      const event = JSON.parse(row.event) as IntakeEvent;
      const isResolved = scope.resolvedTo !== undefined && row.waiting === 'ambiguous';
      const match = isResolved ? matchWith(event, scope.resolvedTo) : matchEvent(event, this.#directory.lookUp(event), now);
      const waiting = 'reason' in match ? match.reason : null;
      if (waiting === row.waiting) return 0;
      const publishedTo = 'forecast' in match ? match.forecast.forecastNo : null;
      // An event further up may have published this one: whoever ends its waiting publishes it. One that is about to be resolved is left to that.
      const { changes } = this.#db.run(
        'UPDATE events SET waiting = ?, published_to = ? WHERE id = ? AND waiting IS NOT NULL AND resolution IS NULL',
        waiting,
        publishedTo,
        row.id,
      );
      return changes > 0 && 'forecast' in match ? this.publish(event, match.forecast, now, traceparent) : 0;
    });
  }

  /**
   * Ends the waiting of the events under a number, in the order in which they occurred. Those that the forecast does not take wait on.
   * @param traceparent of what asks for it
   * @param after goes on behind this position
   */
  resolve(resolution: OpenResolution, traceparent: string | undefined, after: Position): Settled {
    const { id, number, forecast } = resolution;
    const { kind, warehouseCode } = number;
    const scope =
      kind === 'named'
        ? { forecastNo: number.number, warehouseCode, numbers: [] }
        : { forecastNo: null, warehouseCode, numbers: [number.number] };
    return this.#eachWaiting(scope, after, SETTLE_BATCH, (row, now) => {
      const event = JSON.parse(row.event) as IntakeEvent;
      // Other warehouses may have been given the same wrong number.
      if (event.warehouseCode !== warehouseCode) return 0;
      const match = forecast === null ? null : matchWith(event, forecast);
      if (match !== null && 'reason' in match) {
        this.#db.run('UPDATE events SET waiting = ? WHERE id = ? AND resolution IS NULL', match.reason, row.id);
        return 0;
      }
      const { changes } = this.#db.run(
        `UPDATE events SET waiting = NULL, published_to = ?, resolution = ?
         WHERE id = ? AND waiting IS NOT NULL AND coalesce(resolution, ?2) = ?2`,
        match?.forecast.forecastNo ?? null,
        id,
        row.id,
      );
      return changes > 0 && match !== null ? this.publish(event, match.forecast, now, traceparent) : 0;
    });
  }

  /** @param act publishes what it can of an event. @returns how many events were published */
  #eachWaiting(scope: Scope, after: Position, limit: number, act: (row: PositionedRow, now: number) => number): Settled {
    const { forecastNo, warehouseCode, numbers } = scope;
    const rows = this.#db.all<PositionedRow>(
      WAITING,
      forecastNo,
      warehouseCode,
      JSON.stringify(numbers),
      after.occurredAt,
      after.id,
      limit,
    );
    const now = this.#clock.now();
    let published = 0;
    for (const row of rows) published += act(row, now);
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return { published, next: last && { occurredAt: last.occurred_at, id: last.id } };
  }
}
