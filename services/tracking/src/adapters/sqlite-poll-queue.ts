import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Shipment } from '../domain/shipment.ts';
import { type DueShipment, MAX_COUNTED, type Overdue } from '../ports.ts';
import { type DueRow, toDueShipment } from './sqlite-rows.ts';

const DUE = 'SELECT * FROM shipments WHERE next_poll_at <= ? AND lease_until <= ? ORDER BY next_poll_at LIMIT ?';

/** Sums up the first keys of the index of what is due. */
export const OVERDUE = `SELECT count(*) AS count, min(next_poll_at) AS oldest
  FROM (SELECT next_poll_at FROM shipments WHERE next_poll_at <= ? ORDER BY next_poll_at LIMIT ${MAX_COUNTED})`;

/** As PollQueue.lease. Looks first without a transaction: mostly nothing is due. */
export async function leaseShipments(db: SqliteDatabase, now: number, leaseMs: number, limit: number): Promise<readonly DueShipment[]> {
  if (db.all<DueRow>(DUE, now, now, 1).length === 0) return [];
  return db.transaction(() => {
    const rows = db.all<DueRow>(DUE, now, now, limit);
    for (const row of rows) {
      db.run('UPDATE shipments SET lease_until = ? WHERE tenant_id = ? AND forecast_no = ?', now + leaseMs, row.tenant_id, row.forecast_no);
    }
    return rows.map(toDueShipment);
  });
}

/** As PollQueue.reschedule; inside a transaction. */
export function rescheduleShipment(db: SqliteDatabase, shipment: Shipment, nextPollAt: number | null, failures: number): void {
  db.run(
    'UPDATE shipments SET next_poll_at = ?, failures = ?, lease_until = 0 WHERE tenant_id = ? AND forecast_no = ? AND wakes = ?',
    nextPollAt,
    failures,
    shipment.tenantId,
    shipment.forecastNo,
    shipment.wakes,
  );
}

/** As PollBacklog.overdue. */
export function overdueShipments(db: SqliteDatabase, now: number): Overdue {
  const row = db.get<{ count: number; oldest: number | null }>(OVERDUE, now);
  return { count: row?.count ?? 0, oldestDueAt: row?.oldest ?? null };
}
