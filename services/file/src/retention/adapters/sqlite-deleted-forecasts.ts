import type { SqliteDatabase } from '@parcelway/sqlite/database';

const IS_DELETED = 'SELECT 1 AS one FROM deleted_forecasts WHERE tenant_id = ? AND forecast_no = ?';

const NOTE = 'INSERT INTO deleted_forecasts (tenant_id, forecast_no, deleted_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';

/** Remembers a deleted forecast, or a refused report, for some days. A repeat has no effect. */
export function noteDeletedForecast(db: SqliteDatabase, tenantId: string, forecastNo: string, now: number): void {
  db.run(NOTE, tenantId, forecastNo, now);
}

/** True of a forecast that was deleted in the last days: what is recorded of it now is over already. Whoever records something asks in the same transaction. */
export function isDeletedForecast(db: SqliteDatabase, tenantId: string, forecastNo: string): boolean {
  return db.get(IS_DELETED, tenantId, forecastNo) !== undefined;
}
