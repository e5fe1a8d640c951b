import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ExpiredForecasts, ForecastName } from '../expired-forecasts.ts';

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
        this.#db.run('DELETE FROM forecasts WHERE forecast_no = ? AND tenant_id = ?', forecastNo, tenantId);
        this.#db.run('DELETE FROM view_forecasts WHERE forecast_no = ? AND tenant_id = ?', forecastNo, tenantId);
      }
    });
  }
}
