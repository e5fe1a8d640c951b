import type { SqliteDatabase } from '@parcelway/sqlite/database';

const IS_DELETED = 'SELECT 1 AS one FROM deleted_forecasts WHERE tenant_id = ? AND forecast_no = ?';

/** True of a forecast that was deleted in the last days: what is recorded of it now is over already. Whoever records something asks in the same transaction. */
export function isDeletedForecast(db: SqliteDatabase, tenantId: string, forecastNo: string): boolean {
  return db.get(IS_DELETED, tenantId, forecastNo) !== undefined;
}
