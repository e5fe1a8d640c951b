import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { type AcceptedForecast, type DirectoryForecast, type IntakeEvent, scannedNumberOf } from '../domain/event.ts';
import type { DirectoryAnswer } from '../domain/match.ts';
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
      return { named: row && forecastOf(row), candidates: [] };
    }
    const rows = this.#db.all<CandidateRow>(
      `SELECT ${FORECAST_COLUMNS}, f.finished_at, n.claimed FROM numbers n JOIN forecasts f USING (forecast_no)
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
