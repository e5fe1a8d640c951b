import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { keyText } from '../domain/parcel-key.ts';
import type { ForecastName, Retention } from '../ports.ts';
import { type ShipmentRow, toShipment } from './sqlite-rows.ts';

/** Deletes old data from the service's SQLite file, a batch in a transaction. */
export function createSqliteRetention(db: SqliteDatabase): Retention {
  return {
    ended: async (before, limit) => db.all<ShipmentRow>(ENDED, before, limit).map((row) => toShipment(row)),
    age: (forecasts) =>
      db.transaction(() => {
        for (const forecast of forecasts) ageForecast(db, forecast);
      }),
    purge: (before, limit, chosen) => db.transaction(() => purgeShipments(db, before, limit, chosen) + purgeForecasts(db, before, limit)),
  };
}

const ENDED = 'SELECT * FROM shipments WHERE is_watched = 0 AND last_change_at < ? ORDER BY last_change_at LIMIT ?';

/** Only inside a transaction. */
function ageForecast(db: SqliteDatabase, { tenantId, forecastNo }: ForecastName): void {
  const aged = 'is_watched = 0, next_poll_at = NULL, last_change_at = 0';
  db.run(`UPDATE shipments SET ${aged} WHERE tenant_id = ? AND forecast_no = ?`, tenantId, forecastNo);
  db.run('UPDATE forecasts SET accepted_at = 0 WHERE tenant_id = ? AND forecast_no = ?', tenantId, forecastNo);
}

const FORGET_FURTHER = `UPDATE forecasts SET further_numbers = (
    SELECT nullif(json_group_array(value), '[]') FROM json_each(further_numbers) WHERE value <> ?)
  WHERE tenant_id = ? AND forecast_no = ?`;

/** A forecast goes with the last of its parcels. */
const DELETE_EMPTY = `DELETE FROM forecasts WHERE tenant_id = ? AND forecast_no = ? AND NOT EXISTS (
  SELECT 1 FROM shipments s WHERE s.tenant_id = forecasts.tenant_id AND s.forecast_no = forecasts.forecast_no)`;

/**
 * Deletes shipments that are not under watch and have not changed since `before` (epoch milliseconds), with all that
 * hangs on them; at most `limit`. Only inside a transaction.
 * @returns how many
 */
function purgeShipments(db: SqliteDatabase, before: number, limit: number, chosen?: ReadonlySet<string>): number {
  const rows = db.all<ShipmentRow>(ENDED, before, limit).filter((row) => chosen?.has(keyText(toShipment(row))) ?? true);
  for (const { tenant_id, forecast_no, further_number, tracking_number } of rows) {
    for (const table of ['nodes', 'shipments']) {
      db.run(`DELETE FROM ${table} WHERE tenant_id = ? AND forecast_no = ? AND further_number = ?`, tenant_id, forecast_no, further_number);
    }
    if (further_number !== '') db.run(FORGET_FURTHER, further_number, tenant_id, forecast_no);
    db.run(DELETE_EMPTY, tenant_id, forecast_no);
    db.run('DELETE FROM simulated_nodes WHERE tenant_id = ? AND tracking_number = ?', tenant_id, tracking_number);
  }
  return rows.length;
}

/** Deletes forecasts of before `before` (epoch milliseconds) that have no shipment; at most `limit`. Only inside a transaction. */
function purgeForecasts(db: SqliteDatabase, before: number, limit: number): number {
  return db.run(
    `DELETE FROM forecasts WHERE (tenant_id, forecast_no) IN (
       SELECT tenant_id, forecast_no FROM forecasts f WHERE accepted_at < ? AND NOT EXISTS (
         SELECT 1 FROM shipments s WHERE s.tenant_id = f.tenant_id AND s.forecast_no = f.forecast_no) LIMIT ?)`,
    before,
    limit,
  ).changes;
}
