import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { MAX_COUNTED, type PollBacklog, type PollQueue } from '../ports.ts';
import { type DueRow, toDueShipment } from './sqlite-rows.ts';

const DUE = 'SELECT * FROM shipments WHERE next_poll_at <= ? AND lease_until <= ? ORDER BY next_poll_at LIMIT ?';

const LEASE = 'UPDATE shipments SET lease_until = ? WHERE tenant_id = ? AND forecast_no = ? AND further_number = ?';

/** Sums up the first keys of the index of what is due. */
export const OVERDUE = `SELECT count(*) AS count, min(next_poll_at) AS oldest
  FROM (SELECT next_poll_at FROM shipments WHERE next_poll_at <= ? ORDER BY next_poll_at LIMIT ${MAX_COUNTED})`;

/** The shipments that are due, in the service's SQLite file. */
export function createSqlitePollQueue(db: SqliteDatabase): PollQueue & PollBacklog {
  return {
    async lease(now, until, limit) {
      // Mostly nothing is due: a look without a transaction costs no commit.
      if (db.all<DueRow>(DUE, now, now, 1).length === 0) return [];
      return db.transaction(() => {
        const rows = db.all<DueRow>(DUE, now, now, limit);
        for (const { tenant_id, forecast_no, further_number } of rows) {
          db.run(LEASE, until, tenant_id, forecast_no, further_number);
        }
        return rows.map(toDueShipment);
      });
    },

    async overdue(now) {
      const row = db.get<{ count: number; oldest: number | null }>(OVERDUE, now);
      return { count: row?.count ?? 0, oldestDueAt: row?.oldest ?? null };
    },
  };
}
