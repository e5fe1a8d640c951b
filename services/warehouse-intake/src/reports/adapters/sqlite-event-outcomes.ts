import type { Clock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteDirectory } from '../../expected/adapters/sqlite-directory.ts';
import { SqliteNumberCounts } from '../../expected/adapters/sqlite-number-counts.ts';
import { type EventKey, type IntakeEvent, storedEvent } from '../../expected/domain/event.ts';
import type { UnclaimedReason } from '../../expected/domain/match.ts';
import { matchBatch } from '../../expected/domain/match-batch.ts';
import { candidatesOf, type WaitingPosition } from '../domain/event-outcome.ts';
import type { EventOutcomes, StoredOutcome, WaitingEvent, WaitingQuery } from '../ports.ts';
import { type ResolutionRow, resolutionOf } from './sqlite-resolution-schema.ts';
import { type UnclaimedRow, unclaimedOf } from './sqlite-settlement.ts';

interface OutcomeRow {
  readonly event: string;
  readonly received_at: number;
  readonly waiting: UnclaimedReason | null;
  readonly published_to: string | null;
  readonly resolution: number | null;
}

/** The oldest events that wait at a warehouse for some of the reasons, behind one. Of each reason no more than the limit are read. */
const WAITING_AT = `SELECT id, event, waiting, received_at FROM (SELECT value FROM json_each(?2)) AS wanted CROSS JOIN events ON events.id IN (
    SELECT id FROM events INDEXED BY events_waiting_reason_at
    WHERE warehouse_code = ?1 AND waiting = wanted.value AND id > ?3 ORDER BY id LIMIT ?4)
  ORDER BY id LIMIT ?4`;

/** Shows from the service's file what became of events. */
export class SqliteEventOutcomes implements EventOutcomes {
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;
  readonly #directory: SqliteDirectory;

  /** @param db migrated with intakeMigrations */
  constructor(db: SqliteDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#directory = new SqliteDirectory(db, new SqliteNumberCounts(db, clock));
  }

  async waitingAt({ warehouseCode, reasons, after, limit }: WaitingQuery) {
    const rows = this.#db.all<UnclaimedRow>(WAITING_AT, warehouseCode, JSON.stringify(reasons), Number(after?.id ?? 0), limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    const next: WaitingPosition | null = last === undefined ? null : { receivedAt: last.received_at, id: String(last.id) };
    // A crowd under one number has the same candidates, which may be many.
    const known = new Map<string, readonly string[]>();
    return { events: page.map((row) => this.#waitingEvent(row, known)), next };
  }

  async outcomeOf({ warehouseCode, eventId }: EventKey): Promise<StoredOutcome | undefined> {
    const row = this.#db.get<OutcomeRow>(
      'SELECT event, received_at, waiting, published_to, resolution FROM events WHERE warehouse_code = ? AND event_id = ?',
      warehouseCode,
      eventId,
    );
    if (row === undefined) return undefined;
    const event = storedEvent(row.event);
    const resolution =
      row.resolution === null ? undefined : this.#db.get<ResolutionRow>('SELECT * FROM resolutions WHERE id = ?', row.resolution);
    return {
      event,
      receivedAt: row.received_at,
      waiting: row.waiting,
      candidates: this.#candidates(event, row.waiting),
      forecastNo: row.published_to ?? (row.waiting === null && row.resolution === null ? event.forecastNo : null),
      isDismissed: row.waiting === null && row.resolution !== null && row.published_to === null,
      resolution: row.waiting === null && resolution ? resolutionOf(resolution) : undefined,
    };
  }

  #waitingEvent(row: UnclaimedRow, known: Map<string, readonly string[]>): WaitingEvent {
    const parcel = unclaimedOf(row);
    const number = parcel.event.scannedNumber ?? '';
    const candidates = known.get(number) ?? this.#candidates(parcel.event, row.waiting);
    if (row.waiting === 'ambiguous') known.set(number, candidates);
    return { ...parcel, candidates: row.waiting === 'ambiguous' ? candidates : [] };
  }

  #candidates(event: IntakeEvent, waiting: UnclaimedReason | null): readonly string[] {
    if (waiting !== 'ambiguous') return [];
    const [match] = matchBatch([{ event }], this.#directory.lookUp([{ event }]), this.#clock.now()).matches;
    return match === undefined ? [] : candidatesOf(match);
  }
}
