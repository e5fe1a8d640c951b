import type { Environment } from '@parcelway/contracts/environment';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { countChange } from '../domain/declared-numbers.ts';
import { type DirectoryChange, type DirectoryEntry, finishedEntry, parcelSeen, type ScannedNumber } from '../domain/directory.ts';
import { type DirectoryForecast, isDeclared, poKey } from '../domain/event.ts';
import { mayEndStay } from '../domain/match.ts';
import type { BatchEvent, ClaimedNumber, ListedForecast } from '../domain/match-batch.ts';
import { FORECAST_COLUMNS, type ForecastRow } from './sqlite-directory-schema.ts';
import type { SqliteNumberCounts } from './sqlite-number-counts.ts';

interface EntryRow {
  readonly forecast_no: string;
  readonly tenant_id: string | null;
  readonly environment: string | null;
  readonly warehouse_code: string | null;
  readonly forecast_type: number | null;
  readonly version: number;
  readonly cancelled_at: number | null;
  readonly finished_at: number | null;
}

/** A number of a forecast. */
interface NumberRow {
  readonly scanned_no: string;
  readonly claimed: number;
  readonly assigned: number | null;
}

/** A number of an entry. `assigned`: the resolution that claims it. */
interface NumberState {
  readonly claimed: boolean;
  readonly assigned: string | undefined;
}

/** A forecast and a number that leads to it. */
type DeclaringRow = ForecastRow & NumberRow;

/** A forecast of which only the numbers are read that the match depends on. */
interface Listed extends ListedForecast {
  readonly numbers: string[];
  readonly claimed: string[];
  readonly assigned: ClaimedNumber[];
  readonly aliases: ClaimedNumber[];
  unlisted?: NonNullable<ListedForecast['unlisted']>;
}

/** Ids of resolutions as the domain compares them: they rise as texts, too. */
const claimId = (resolution: number): string => String(resolution).padStart(16, '0');

/** Stands for the claim of a forecast number. The file keeps only the latest one. */
const LATEST = claimId(0);

/** Reads and writes the forecasts that events are matched with; domain/directory decides. Call every method in a transaction of the intake's store. */
export class SqliteDirectory {
  readonly #db: SqliteDatabase;
  readonly #counts: SqliteNumberCounts;

  /** @param db migrated with intakeMigrations */
  constructor(db: SqliteDatabase, counts: SqliteNumberCounts) {
    this.#db = db;
    this.#counts = counts;
  }

  /** What a match of the events depends on (domain/match-batch). */
  lookUp(events: readonly BatchEvent[]): readonly ListedForecast[] {
    const found = new Map<string, Listed>();
    const asked = new Set<string>();
    const mayLeave = events.some(({ event }) => mayEndStay(event));
    for (const { event, resolvedTo } of events) {
      const { warehouseCode, forecastNo } = event;
      const number = event.scannedNumber;
      if (resolvedTo !== undefined) this.#addNamed(found, asked, resolvedTo);
      if (forecastNo !== null) {
        this.#addNamed(found, asked, forecastNo);
        if (found.get(forecastNo)?.warehouseCode !== warehouseCode) this.#addStandIn(found, asked, warehouseCode, forecastNo);
      }
      if (number !== null) this.#addDeclaring(found, asked, { warehouseCode, number }, mayLeave);
    }
    const suspects = this.#counts.suspects(new Set([...found.values()].map(({ tenantId }) => tenantId)));
    if (suspects.size === 0) return [...found.values()];
    return [...found.values()].map((forecast) => ({ ...forecast, isSuspect: suspects.has(forecast.tenantId) }));
  }

  /** An entry with all of its numbers. */
  read(forecastNo: string): DirectoryEntry | undefined {
    const row = this.#db.get<EntryRow>(
      `SELECT forecast_no, tenant_id, environment, warehouse_code, forecast_type, version, cancelled_at, finished_at
       FROM forecasts WHERE forecast_no = ?`,
      forecastNo,
    );
    if (row === undefined) return undefined;
    const numbers = this.#db.all<NumberRow>('SELECT scanned_no, claimed, assigned FROM numbers WHERE forecast_no = ?', forecastNo);
    const named = this.#db.all<{ named_no: string }>('SELECT named_no FROM stand_ins WHERE forecast_no = ?', forecastNo);
    return {
      forecastNo,
      forecast: completeOf(row),
      version: row.version,
      numbers: numbers.map((number) => number.scanned_no),
      claimed: numbers.filter(({ claimed }) => claimed === 1).map((number) => number.scanned_no),
      assigned: numbers.flatMap(({ scanned_no: number, assigned }) => (assigned === null ? [] : [{ number, by: claimId(assigned) }])),
      aliases: named.map(({ named_no: number }) => ({ number, by: LATEST })),
      // Matched again in the transaction that releases them.
      released: [],
      cancelledAt: row.cancelled_at,
      finishedAt: row.finished_at,
    };
  }

  /** See SeenNumbers. */
  seenUnder({ warehouseCode, number }: ScannedNumber, forecastNos: readonly string[]): ReadonlySet<string> {
    const sql = 'SELECT claimed FROM numbers WHERE warehouse_code = ? AND scanned_no = ? AND forecast_no = ?';
    return new Set(forecastNos.filter((each) => this.#db.get<Pick<NumberRow, 'claimed'>>(sql, warehouseCode, number, each)?.claimed === 1));
  }

  /** Changes an entry. @returns what it is afterwards */
  change(forecastNo: string, decide: DirectoryChange): DirectoryEntry | undefined {
    const before = this.read(forecastNo);
    const after = decide(before);
    if (after !== undefined && after !== before) this.#write(before, after);
    return after;
  }

  /** Writes that an event under a number that leads to a forecast went to it. */
  claim(scanned: ScannedNumber, forecastNo: string): void {
    this.change(forecastNo, (entry) => entry && parcelSeen(entry, scanned));
  }

  /** Writes that the parcel's stay in the warehouse has ended. @param at epoch milliseconds */
  finish(forecastNo: string, at: number): void {
    this.change(forecastNo, (entry) => entry && finishedEntry(entry, at));
  }

  /** Deletes at most `limit` forecasts that were over before `before` (epoch milliseconds). */
  purge(before: number, limit: number): void {
    this.#db.run(
      `DELETE FROM forecasts WHERE forecast_no IN
       (SELECT forecast_no FROM forecasts WHERE coalesce(cancelled_at, finished_at) < ? LIMIT ?)`,
      before,
      limit,
    );
  }

  #addNamed(found: Map<string, Listed>, asked: Set<string>, forecastNo: string): void {
    if (found.has(forecastNo) || isAsked(asked, `named ${forecastNo}`)) return;
    const row = this.#db.get<ForecastRow>(
      `SELECT ${FORECAST_COLUMNS} FROM forecasts f WHERE f.forecast_no = ? AND f.tenant_id IS NOT NULL`,
      forecastNo,
    );
    if (row !== undefined) list(found, row);
  }

  /** The forecast that the warehouse has claimed a forecast number for that leads nowhere by itself. */
  #addStandIn(found: Map<string, Listed>, asked: Set<string>, warehouseCode: string, forecastNo: string): void {
    if (isAsked(asked, `stand-in ${warehouseCode} ${forecastNo}`)) return;
    const row = this.#db.get<ForecastRow>(
      `SELECT ${FORECAST_COLUMNS} FROM stand_ins s JOIN forecasts f USING (forecast_no)
       WHERE s.warehouse_code = ? AND s.named_no = ?`,
      warehouseCode,
      forecastNo,
    );
    if (row !== undefined) list(found, row).aliases.push({ number: forecastNo, by: LATEST });
  }

  /** @param mayLeave an event of the batch may end the stay of a parcel */
  #addDeclaring(found: Map<string, Listed>, asked: Set<string>, { warehouseCode, number }: ScannedNumber, mayLeave: boolean): void {
    if (isAsked(asked, `declaring ${warehouseCode} ${number}`)) return;
    const rows = this.#db.all<DeclaringRow>(
      `SELECT ${FORECAST_COLUMNS}, n.scanned_no, n.claimed, n.assigned FROM numbers n JOIN forecasts f USING (forecast_no)
       WHERE n.warehouse_code = ? AND n.scanned_no IN (?, ?)`,
      warehouseCode,
      number,
      poKey(number),
    );
    for (const row of rows) {
      const listed = list(found, row);
      listed.numbers.push(row.scanned_no);
      if (row.claimed === 1) listed.claimed.push(number);
      if (row.assigned !== null) listed.assigned.push({ number, by: claimId(row.assigned) });
      if (mayLeave || row.finished_at !== null) listed.unlisted ??= this.#unlistedOf(row.forecast_no);
    }
  }

  /** Only of parcels that have left, or may leave now: nothing depends on it before. */
  #unlistedOf(forecastNo: string): NonNullable<ListedForecast['unlisted']> {
    const numbers = this.#db.all<NumberRow>('SELECT scanned_no, claimed, assigned FROM numbers WHERE forecast_no = ?', forecastNo);
    const declared = numbers.filter((number) => isDeclared(number.scanned_no));
    return { declaresMore: declared.length > 1, wasSeen: numbers.some(({ claimed }) => claimed === 1) };
  }

  #write(before: DirectoryEntry | undefined, after: DirectoryEntry): void {
    const { forecastNo, forecast, version, cancelledAt, finishedAt } = after;
    this.#db.run(
      `INSERT INTO forecasts (forecast_no, tenant_id, environment, warehouse_code, forecast_type, version, cancelled_at, finished_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (forecast_no) DO UPDATE SET tenant_id = excluded.tenant_id, environment = excluded.environment,
         warehouse_code = excluded.warehouse_code, forecast_type = excluded.forecast_type, version = excluded.version,
         cancelled_at = excluded.cancelled_at, finished_at = excluded.finished_at`,
      forecastNo,
      forecast?.tenantId ?? null,
      forecast?.environment ?? null,
      forecast?.warehouseCode ?? null,
      forecast?.forecastType ?? null,
      version,
      cancelledAt,
      finishedAt,
    );
    this.#counts.add(countChange(before, after));
    this.#writeNumbers(before, after);
    this.#writeAliases(before, after);
  }

  #writeNumbers(before: DirectoryEntry | undefined, after: DirectoryEntry): void {
    const { forecastNo, forecast } = after;
    if (before?.numbers === after.numbers && before.claimed === after.claimed && before.assigned === after.assigned) return;
    const warehouseCode = forecast?.warehouseCode ?? null;
    const hasMoved = before?.forecast?.warehouseCode !== forecast?.warehouseCode;
    const now = numbersOf(after);
    const old = numbersOf(before);
    const startsAnew = hasMoved || now.size === 0;
    if (startsAnew && old.size > 0) this.#db.run('DELETE FROM numbers WHERE forecast_no = ?', forecastNo);
    const kept = startsAnew ? new Map<string, NumberState>() : old;
    const remove = 'DELETE FROM numbers WHERE warehouse_code = ? AND scanned_no = ? AND forecast_no = ?';
    for (const number of kept.keys()) if (!now.has(number)) this.#db.run(remove, warehouseCode, number, forecastNo);
    const added = [...now].filter(([number, { claimed, assigned }]) => !claimed && assigned === undefined && !kept.has(number));
    if (added.length > 0) {
      this.#db.run(
        'INSERT INTO numbers (warehouse_code, scanned_no, forecast_no) SELECT ?, value, ? FROM json_each(?)',
        warehouseCode,
        forecastNo,
        JSON.stringify(added.map(([number]) => number)),
      );
    }
    for (const [number, { claimed, assigned }] of now) {
      const same = kept.get(number);
      if ((same?.claimed ?? false) === claimed && same?.assigned === assigned) continue;
      this.#db.run(
        'INSERT OR REPLACE INTO numbers (warehouse_code, scanned_no, forecast_no, claimed, assigned) VALUES (?, ?, ?, ?, ?)',
        warehouseCode,
        number,
        forecastNo,
        claimed ? 1 : 0,
        assigned === undefined ? null : Number(assigned),
      );
    }
  }

  #writeAliases(before: DirectoryEntry | undefined, { forecastNo, forecast, aliases }: DirectoryEntry): void {
    if (before?.aliases === aliases) return;
    if (aliases.length === 0 && before !== undefined) this.#db.run('DELETE FROM stand_ins WHERE forecast_no = ?', forecastNo);
    for (const { number, by } of aliases) {
      if (by === LATEST) continue;
      // One forecast of a number: the claim before it ends.
      this.#db.run(
        'INSERT OR REPLACE INTO stand_ins (warehouse_code, named_no, forecast_no) VALUES (?, ?, ?)',
        forecast?.warehouseCode ?? null,
        number,
        forecastNo,
      );
    }
  }
}

/** Notes a question. @returns true when it was asked before */
function isAsked(asked: Set<string>, question: string): boolean {
  const before = asked.size;
  return asked.add(question).size === before;
}

function list(found: Map<string, Listed>, row: ForecastRow): Listed {
  const known = found.get(row.forecast_no);
  if (known !== undefined) return known;
  const listed: Listed = {
    forecastNo: row.forecast_no,
    tenantId: row.tenant_id,
    environment: row.environment as Environment,
    warehouseCode: row.warehouse_code,
    forecastType: row.forecast_type,
    numbers: [],
    claimed: [],
    assigned: [],
    aliases: [],
    finishedAt: row.finished_at,
  };
  found.set(row.forecast_no, listed);
  return listed;
}

function numbersOf(entry: DirectoryEntry | undefined): ReadonlyMap<string, NumberState> {
  if (entry === undefined) return new Map();
  const claimed = new Set(entry.claimed);
  const assigned = new Map(entry.assigned.map(({ number, by }) => [number, by]));
  return new Map(entry.numbers.map((number) => [number, { claimed: claimed.has(number), assigned: assigned.get(number) }]));
}

function completeOf({ forecast_no: forecastNo, ...row }: EntryRow): DirectoryForecast | null {
  const { tenant_id: tenantId, environment, warehouse_code: warehouseCode, forecast_type: forecastType } = row;
  if (tenantId === null || warehouseCode === null || forecastType === null) return null;
  return { forecastNo, tenantId, environment: environment as Environment, warehouseCode, forecastType };
}
