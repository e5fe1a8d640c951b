import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteDirectory } from '../../expected/adapters/sqlite-directory.ts';
import { assignedEntry, claimableEntry } from '../../expected/domain/directory.ts';
import { type EventKey, storedEvent } from '../../expected/domain/event.ts';
import {
  type OpenResolution,
  type Resolution,
  type ResolutionRequest,
  type ResolvableEvent,
  type WaitingNumber,
  waitingNumberOf,
} from '../../expected/domain/resolution.ts';
import { decideResolution } from '../domain/claim-or-dismiss.ts';
import type { ResolutionQuery, ResolveOutcome, ResumeOutcome } from '../ports.ts';
import { type ResolutionRow, resolutionOf } from './sqlite-resolution-schema.ts';
import { FIRST, type Position, type SqliteSettlement } from './sqlite-settlement.ts';

interface EventRow {
  readonly id: number;
  readonly event: string;
  readonly waiting: string | null;
  readonly published_to: string | null;
  readonly resolution: number | null;
}

/** What a request has come to so far. */
type Progress =
  | {
      readonly row: ResolutionRow;
      /** Set when it was carried out before. */
      readonly repeated: boolean;
      readonly published: number;
    }
  /** The number is being resolved by another call, or was when a process ended. */
  | { readonly other: ResolutionRow };

/** The newest of all that are done, and of those of a warehouse. */
const DONE = 'SELECT * FROM resolutions INDEXED BY resolutions_done WHERE events IS NOT NULL ORDER BY id DESC LIMIT ?';
const DONE_AT =
  'SELECT * FROM resolutions INDEXED BY resolutions_at WHERE warehouse_code = ? AND events IS NOT NULL ORDER BY id DESC LIMIT ?';

/**
 * Claims and dismissals. The decision, the record and the first events are one transaction; a crowd is processed in several, and the
 * record says until the last one that it is not done.
 */
export class SqliteResolutions {
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;
  readonly #directory: SqliteDirectory;
  readonly #settlement: SqliteSettlement;

  /** @param db migrated with intakeMigrations */
  constructor(db: SqliteDatabase, clock: Clock, directory: SqliteDirectory, settlement: SqliteSettlement) {
    this.#db = db;
    this.#clock = clock;
    this.#directory = directory;
    this.#settlement = settlement;
  }

  /** As in the port. */
  async resolve(request: ResolutionRequest, traceparent?: string): Promise<ResolveOutcome> {
    for (;;) {
      const begun = await this.#db.transaction(() => this.#begin(request, traceparent));
      // Who comes second finishes what the first has begun: then it is known what is left of the event.
      if ('other' in begun) await this.#finish(begun.other, traceparent);
      else return this.#complete(begun, traceparent);
    }
  }

  async #complete({ row, repeated, published }: Exclude<Progress, { other: unknown }>, traceparent?: string): Promise<ResolveOutcome> {
    await failpointAsync('intake.after-claim-recorded');
    const rest = row.events === null ? await this.#finish(row, traceparent) : 0;
    return { resolution: resolutionOf(this.#find(row.id) ?? row), repeated, published: published + rest };
  }

  /** Finishes at most `limit` resolutions that were begun before `before` (epoch milliseconds). */
  async resume(before: number, limit: number): Promise<ResumeOutcome> {
    const rows = this.#db.all<ResolutionRow>(
      'SELECT * FROM resolutions WHERE events IS NULL AND resolved_at < ? ORDER BY resolved_at LIMIT ?',
      before,
      limit,
    );
    let published = 0;
    for (const row of rows) published += await this.#finish(row, undefined);
    return { resumed: rows.length, published };
  }

  /** Finished resolutions, the newest first. */
  list({ warehouseCode, limit }: ResolutionQuery): readonly Resolution[] {
    const rows =
      warehouseCode === undefined ? this.#db.all<ResolutionRow>(DONE, limit) : this.#db.all<ResolutionRow>(DONE_AT, warehouseCode, limit);
    return rows.map(resolutionOf);
  }

  /** Deletes at most `limit` resolutions from before `before` (epoch milliseconds). Belongs into a transaction. */
  purge(before: number, limit: number): void {
    this.#db.run(
      'DELETE FROM resolutions WHERE id IN (SELECT id FROM resolutions WHERE resolved_at < ? ORDER BY resolved_at LIMIT ?)',
      before,
      limit,
    );
  }

  /** Decides, and when there is something to do writes it down and takes the first step. */
  #begin(request: ResolutionRequest, traceparent: string | undefined): Progress {
    const known = this.#findEvent(request);
    const other = known && this.#openAt(waitingNumberOf(known.state.event));
    if (other !== undefined) return { other };
    const decision = decideResolution(request, {
      event: known?.state,
      forecast: request.action === 'claim' ? claimableEntry(this.#directory.read(request.forecastNo)) : undefined,
    });
    if ('repeated' in decision) {
      return { row: this.#find(Number(decision.repeated.id)) as ResolutionRow, repeated: true, published: 0 };
    }
    const { number, forecast } = decision;
    const { lastInsertRowid: id } = this.#db.run(
      `INSERT INTO resolutions (warehouse_code, event_id, kind, number, action, forecast_no, reason, resolved_at, resolved_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      number.warehouseCode,
      request.eventId,
      number.kind,
      number.number,
      request.action,
      request.action === 'claim' ? request.forecastNo : null,
      request.action === 'dismiss' ? request.reason : null,
      this.#clock.now(),
      request.resolvedBy,
    );
    // From here on nothing else ends the waiting of the event that was named.
    this.#db.run('UPDATE events SET resolution = ? WHERE id = ?', id, known?.id ?? null);
    const row = this.#find(id) as ResolutionRow;
    if (forecast !== null)
      this.#directory.change(forecast.forecastNo, (entry) => entry && assignedEntry(entry, number, resolutionOf(row).id));
    const { published } = this.#step(openOf(row), traceparent, FIRST);
    return { row: this.#find(id) as ResolutionRow, repeated: false, published };
  }

  /** @returns how many events were published */
  async #finish(row: ResolutionRow, traceparent: string | undefined): Promise<number> {
    const { id, forecast_no: forecastNo } = row;
    let published = 0;
    for (let after: Position | undefined = FIRST; after !== undefined; ) {
      const from: Position = after;
      const step = await this.#db.transaction(() => {
        if (forecastNo !== null && claimableEntry(this.#directory.read(forecastNo)) === undefined) return this.#leaveWaiting(id);
        return this.#step(openOf(row), traceparent, from);
      });
      published += step.published;
      after = step.next;
    }
    return published;
  }

  #step(resolution: OpenResolution & { readonly rowId: number }, traceparent: string | undefined, after: Position) {
    const settled = this.#settlement.resolve(resolution, () => traceparent, after);
    return settled.next === undefined ? this.#close(resolution.rowId, settled.published) : settled;
  }

  /** Writes down how many events a resolution has ended the waiting of: it is done. */
  #close(id: number, published: number): { readonly published: number; readonly next: undefined } {
    this.#db.run(
      `UPDATE resolutions SET events = (SELECT count(*) FROM events WHERE resolution = ?1 AND waiting IS NULL)
       WHERE id = ?1 AND events IS NULL`,
      id,
    );
    return { published, next: undefined };
  }

  /** The forecast was deleted in the meantime: what waits is left to wait. */
  #leaveWaiting(id: number): { readonly published: number; readonly next: undefined } {
    this.#db.run('UPDATE events SET resolution = NULL WHERE resolution = ? AND waiting IS NOT NULL', id);
    return this.#close(id, 0);
  }

  /** The resolution of the number that is under way. */
  #openAt({ warehouseCode, kind, number }: WaitingNumber): ResolutionRow | undefined {
    return this.#db.get<ResolutionRow>(
      'SELECT * FROM resolutions WHERE warehouse_code = ? AND kind = ? AND number = ? AND events IS NULL',
      warehouseCode,
      kind,
      number,
    );
  }

  #findEvent({ warehouseCode, eventId }: EventKey): { readonly id: number; readonly state: ResolvableEvent } | undefined {
    const row = this.#db.get<EventRow>(
      'SELECT id, event, waiting, published_to, resolution FROM events WHERE warehouse_code = ? AND event_id = ?',
      warehouseCode,
      eventId,
    );
    if (row === undefined) return undefined;
    const resolution = row.resolution === null ? undefined : this.#find(row.resolution);
    const state = {
      event: storedEvent(row.event),
      waits: row.waiting !== null,
      publishedTo: row.published_to,
      resolution: resolution && resolutionOf(resolution),
    };
    return { id: row.id, state };
  }

  #find(id: number): ResolutionRow | undefined {
    return this.#db.get<ResolutionRow>('SELECT * FROM resolutions WHERE id = ?', id);
  }
}

function openOf(row: ResolutionRow): OpenResolution & { readonly rowId: number } {
  const { id, warehouse_code: warehouseCode, kind, number, resolved_at: resolvedAt, forecast_no: forecastNo } = row;
  return { rowId: id, id: String(id), number: { warehouseCode, kind, number }, resolvedAt, forecastNo };
}
