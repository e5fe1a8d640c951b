import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { movedIds } from '../expected/domain/seen-by-warehouse.ts';
import type { ExpiredForecasts, ForecastName } from '../expected/ports.ts';

const OF_ANOTHER = 'SELECT 1 AS one FROM forecasts WHERE forecast_no = ? AND tenant_id <> ?';
/** What was published for the forecast; what names it and waits, because it came from another warehouse; and what was resolved. */
const REPORTED = [
  'DELETE FROM events INDEXED BY events_of_forecast WHERE published_to = ?',
  'DELETE FROM events INDEXED BY events_waiting_named WHERE waiting IS NOT NULL AND forecast_no = ?',
  'DELETE FROM resolutions INDEXED BY resolutions_of_forecast WHERE forecast_no = ?',
] as const;

/** What former warehouses are shown of the forecast. */
const MOVED = 'DELETE FROM view_forecasts INDEXED BY view_of_tenant WHERE tenant_id = ? AND forecast_no >= ? AND forecast_no < ?';

/** Takes expired forecasts out of directory and view in SQLite, in one transaction. */
export class SqliteExpiredForecasts implements ExpiredForecasts {
  readonly #db: SqliteDatabase;

  /** @param db migrated with the migrations of the service */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async drop(forecasts: readonly ForecastName[]): Promise<void> {
    await this.#db.transaction(() => {
      for (const { tenantId, forecastNo } of forecasts) {
        // Numbers of forecasts are unique over all tenants but for chance.
        if (this.#db.get(OF_ANOTHER, forecastNo, tenantId) !== undefined) continue;
        for (const sql of REPORTED) this.#db.run(sql, forecastNo);
        this.#db.run('DELETE FROM forecasts WHERE forecast_no = ? AND tenant_id = ?', forecastNo, tenantId);
        this.#db.run('DELETE FROM view_forecasts WHERE forecast_no = ? AND tenant_id = ?', forecastNo, tenantId);
        const moved = movedIds(forecastNo);
        this.#db.run(MOVED, tenantId, moved.from, moved.before);
      }
    });
  }
}
