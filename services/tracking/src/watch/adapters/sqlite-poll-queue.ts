import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ParcelKey } from '../domain/parcel-key.ts';
import { MAX_COUNTED, type PollBacklog, type PollQueue } from '../ports.ts';
import type { PollLeases } from './poll-leases.ts';
import { type DueRow, toDueShipment } from './sqlite-rows.ts';

/** Reads the index of what is due, and no shipment: those that are held come first in it, and are passed over. */
export const DUE = `SELECT tenant_id AS tenantId, forecast_no AS forecastNo, nullif(further_number, '') AS furtherNumber FROM shipments
  WHERE next_poll_at <= ? ORDER BY next_poll_at LIMIT ?`;

/** Shipments by a JSON list of keys, in its order: one look at the file for all of them. */
const SHIPMENTS = `SELECT s.* FROM json_each(?) AS parcel
  CROSS JOIN shipments s ON s.tenant_id = parcel.value ->> 'tenantId' AND s.forecast_no = parcel.value ->> 'forecastNo'
    AND s.further_number = coalesce(parcel.value ->> 'furtherNumber', '')`;

/** Sums up the first keys of the index of what is due. */
export const OVERDUE = `SELECT count(*) AS count, min(next_poll_at) AS oldest
  FROM (SELECT next_poll_at FROM shipments WHERE next_poll_at <= ? ORDER BY next_poll_at LIMIT ${MAX_COUNTED})`;

/** The shipments that are due, in the service's SQLite file. @param leases ended by whatever writes the shipments */
export function createSqlitePollQueue(db: SqliteDatabase, leases: PollLeases): PollQueue & PollBacklog {
  return {
    async lease(now, until, limit) {
      const held = leases.expire(now);
      const free = db.all<ParcelKey>(DUE, now, limit + held).filter((parcel) => !leases.has(parcel));
      // Mostly nothing is due.
      if (free.length === 0) return [];
      const taken = free.slice(0, limit);
      const due = db.all<DueRow>(SHIPMENTS, JSON.stringify(taken)).map(toDueShipment);
      for (const parcel of taken) leases.begin(parcel, until);
      return due;
    },

    async overdue(now) {
      const row = db.get<{ count: number; oldest: number | null }>(OVERDUE, now);
      return { count: row?.count ?? 0, oldestDueAt: row?.oldest ?? null };
    },
  };
}
