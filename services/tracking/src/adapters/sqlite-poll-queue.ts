import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ParcelKey } from '../domain/parcel-key.ts';
import { MAX_COUNTED, type PollBacklog, type PollQueue } from '../ports.ts';
import type { PollLeases } from './poll-leases.ts';
import { type DueRow, keyColumns, toDueShipment } from './sqlite-rows.ts';

/** Reads the index of what is due, and no shipment: those that are held come first in it, and are passed over. */
export const DUE = `SELECT tenant_id AS tenantId, forecast_no AS forecastNo, nullif(further_number, '') AS furtherNumber FROM shipments
  WHERE next_poll_at <= ? ORDER BY next_poll_at LIMIT ?`;

const ONE_SHIPMENT = 'SELECT * FROM shipments WHERE tenant_id = ? AND forecast_no = ? AND further_number = ?';

/** Sums up the first keys of the index of what is due. */
export const OVERDUE = `SELECT count(*) AS count, min(next_poll_at) AS oldest
  FROM (SELECT next_poll_at FROM shipments WHERE next_poll_at <= ? ORDER BY next_poll_at LIMIT ${MAX_COUNTED})`;

/** The shipments that are due, in the service's SQLite file. @param leases ended by whatever writes the shipments */
export function createSqlitePollQueue(db: SqliteDatabase, leases: PollLeases): PollQueue & PollBacklog {
  return {
    async lease(now, until, limit) {
      const held = leases.expire(now);
      const free = db.all<ParcelKey>(DUE, now, limit + held).filter((parcel) => !leases.has(parcel));
      return free.slice(0, limit).map((parcel) => {
        leases.begin(parcel, until);
        return toDueShipment(db.get<DueRow>(ONE_SHIPMENT, ...keyColumns(parcel)) as DueRow);
      });
    },

    async overdue(now) {
      const row = db.get<{ count: number; oldest: number | null }>(OVERDUE, now);
      return { count: row?.count ?? 0, oldestDueAt: row?.oldest ?? null };
    },
  };
}
