import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { type CorrectableForecast, correctDirectory } from '../domain/directory-correction.ts';
import {
  type AcceptedForecast,
  type CorrectedForecast,
  type DirectoryForecast,
  type IntakeEvent,
  scannedNumberOf,
} from '../domain/event.ts';
import type { DirectoryAnswer } from '../domain/match.ts';
import type { ClaimableForecast, WaitingNumber } from '../domain/resolution.ts';
import { type CandidateRow, candidateOf, FORECAST_COLUMNS, type ForecastRow, forecastOf } from './sqlite-intake-schema.ts';

/** A number that a cancelled forecast declared. */
interface FreedRow {
  readonly warehouse_code: string;
  readonly scanned_no: string;
}

/** The forecasts that events are matched with. Every method belongs into a transaction of the intake's store. */
export class SqliteDirectory {
  readonly #db: SqliteDatabase;

  /** @param db migrated with intakeMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /** What a match of the event depends on. */
  lookUp(event: IntakeEvent): DirectoryAnswer {
    if (event.forecastNo !== null) {
      const row = this.#db.get<ForecastRow>(
        `SELECT ${FORECAST_COLUMNS} FROM forecasts f WHERE f.forecast_no = ? AND f.tenant_id IS NOT NULL`,
        event.forecastNo,
      );
      const isHere = row?.warehouse_code === event.warehouseCode;
      return { named: row && forecastOf(row), standIn: isHere ? undefined : this.#standIn(event), candidates: [] };
    }
    const rows = this.#db.all<CandidateRow>(
      `SELECT ${FORECAST_COLUMNS}, f.finished_at, n.claimed, n.assigned FROM numbers n JOIN forecasts f USING (forecast_no)
       WHERE n.warehouse_code = ? AND n.scanned_no = ?`,
      event.warehouseCode,
      scannedNumberOf(event),
    );
    return { named: undefined, candidates: rows.map(candidateOf) };
  }

  /** Adds a forecast unless it is there; fills in one of which only the cancellation is known. */
  add(forecast: AcceptedForecast): void {
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
   * Follows a correction of a forecast that is there.
   * @returns numbers that do not lead to it any more, and the warehouse where they did; undefined when nothing changes
   */
  correct(forecast: CorrectedForecast): { readonly warehouseCode: string; readonly numbers: readonly string[] } | undefined {
    const { forecastNo, version } = forecast;
    const known = this.#correctable(forecastNo);
    const correction = known && correctDirectory(known, forecast);
    if (known === undefined || correction === undefined) return undefined;
    this.#db.run(
      'UPDATE forecasts SET warehouse_code = ?, version = ? WHERE forecast_no = ?',
      correction.warehouseCode,
      version,
      forecastNo,
    );
    for (const number of correction.freed) {
      this.#db.run(
        'DELETE FROM numbers WHERE warehouse_code = ? AND scanned_no = ? AND forecast_no = ?',
        known.warehouseCode,
        number,
        forecastNo,
      );
    }
    this.#db.run(
      `INSERT INTO numbers (warehouse_code, scanned_no, forecast_no) SELECT ?, value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
      correction.warehouseCode,
      forecastNo,
      JSON.stringify(correction.numbers),
    );
    return { warehouseCode: known.warehouseCode, numbers: correction.freed };
  }

  #correctable(forecastNo: string): CorrectableForecast | undefined {
    const row = this.#db.get<{ warehouse_code: string; version: number; cancelled_at: number | null }>(
      'SELECT warehouse_code, version, cancelled_at FROM forecasts WHERE forecast_no = ? AND tenant_id IS NOT NULL',
      forecastNo,
    );
    if (row === undefined) return undefined;
    const numbers = this.#db.all<{ scanned_no: string; claimed: number }>(
      'SELECT scanned_no, claimed FROM numbers WHERE forecast_no = ?',
      forecastNo,
    );
    return {
      version: row.version,
      isCancelled: row.cancelled_at !== null,
      warehouseCode: row.warehouse_code,
      numbers: numbers.map((number) => number.scanned_no),
      onParcel: numbers.filter(({ claimed }) => claimed === 1).map((number) => number.scanned_no),
    };
  }

  /** Takes a forecast out of the match by scanned number. @returns the numbers that it declared */
  cancel(forecastNo: string, at: number): readonly FreedRow[] {
    this.#db.run(
      `INSERT INTO forecasts (forecast_no, cancelled_at) VALUES (?, ?)
       ON CONFLICT (forecast_no) DO UPDATE SET cancelled_at = excluded.cancelled_at WHERE cancelled_at IS NULL`,
      forecastNo,
      at,
    );
    const freed = this.#db.all<FreedRow>('SELECT warehouse_code, scanned_no FROM numbers WHERE forecast_no = ?', forecastNo);
    if (freed.length > 0) this.#db.run('DELETE FROM numbers WHERE forecast_no = ?', forecastNo);
    this.#db.run('DELETE FROM stand_ins WHERE forecast_no = ?', forecastNo);
    return freed;
  }

  /** Notes that an event under the number went to the forecast. @returns false when the forecast does not declare the number */
  claim({ warehouseCode, forecastNo }: DirectoryForecast, scanned: string): boolean {
    const row = this.#db.get<{ claimed: number }>(
      'SELECT claimed FROM numbers WHERE warehouse_code = ? AND scanned_no = ? AND forecast_no = ?',
      warehouseCode,
      scanned,
      forecastNo,
    );
    if (row?.claimed === 0) {
      this.#db.run(
        'UPDATE numbers SET claimed = 1 WHERE warehouse_code = ? AND scanned_no = ? AND forecast_no = ?',
        warehouseCode,
        scanned,
        forecastNo,
      );
    }
    return row !== undefined;
  }

  /** A forecast as far as a claim needs it; undefined until its acceptance was seen. */
  claimable(forecastNo: string): ClaimableForecast | undefined {
    const row = this.#db.get<ForecastRow & { readonly cancelled_at: number | null }>(
      `SELECT ${FORECAST_COLUMNS}, f.cancelled_at FROM forecasts f WHERE f.forecast_no = ? AND f.tenant_id IS NOT NULL`,
      forecastNo,
    );
    if (row === undefined) return undefined;
    const counted = this.#db.get<{ count: number }>(
      `SELECT (SELECT count(*) FROM numbers WHERE forecast_no = ?1 AND assigned IS NOT NULL)
         + (SELECT count(*) FROM stand_ins WHERE forecast_no = ?1) AS count`,
      forecastNo,
    );
    return { forecast: forecastOf(row), isCancelled: row.cancelled_at !== null, claimedNumbers: counted?.count ?? 0 };
  }

  /** The warehouse says by a resolution that what comes under the number is the forecast's from now on. */
  assign({ kind, warehouseCode, number }: WaitingNumber, forecastNo: string, resolution: number): void {
    if (kind === 'named') {
      this.#db.run(
        `INSERT INTO stand_ins (warehouse_code, named_no, forecast_no) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET forecast_no = excluded.forecast_no`,
        warehouseCode,
        number,
        forecastNo,
      );
      return;
    }
    this.#db.run(
      `INSERT INTO numbers (warehouse_code, scanned_no, forecast_no, claimed, assigned) VALUES (?, ?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET claimed = 1, assigned = excluded.assigned`,
      warehouseCode,
      number,
      forecastNo,
      resolution,
    );
  }

  /** The forecast that the warehouse has claimed the number of an event for that leads nowhere by itself. */
  #standIn({ warehouseCode, forecastNo }: IntakeEvent): DirectoryForecast | undefined {
    const row = this.#db.get<ForecastRow>(
      `SELECT ${FORECAST_COLUMNS} FROM stand_ins s JOIN forecasts f USING (forecast_no) WHERE s.warehouse_code = ? AND s.named_no = ?`,
      warehouseCode,
      forecastNo,
    );
    return row && forecastOf(row);
  }

  /** Notes that the parcel's stay in the warehouse has ended. @param at epoch milliseconds */
  end(forecastNo: string, at: number): void {
    this.#db.run('UPDATE forecasts SET finished_at = ? WHERE forecast_no = ? AND finished_at IS NULL', at, forecastNo);
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
}
