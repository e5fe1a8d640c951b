import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { type EndpointRow, endpointOf } from '../../endpoints/adapters/sqlite-endpoints.ts';
import type { SqliteQueueOptions } from '../../queue/adapters/sqlite-queue.ts';
import type { Maintenance } from '../ports.ts';

interface OldDelivery {
  readonly position: number;
}

function deleteDeliveries(db: SqliteDatabase, rows: readonly OldDelivery[]): void {
  for (const row of rows) {
    db.run('DELETE FROM attempts WHERE delivery_position = ?', row.position);
    db.run('DELETE FROM deliveries WHERE position = ?', row.position);
  }
}

/** Positions up to which a table is older than an instant; walks from the old end, at most `limit` rows. */
const OLD_DELIVERIES = `SELECT position, status, created_at FROM deliveries WHERE position > ? ORDER BY position LIMIT ?`;
const OLD_EVENTS = `SELECT position, created_at, EXISTS (SELECT 1 FROM deliveries d WHERE d.tenant_id = e.tenant_id AND d.event_id = e.event_id)
  AS in_use FROM events e WHERE position > ? ORDER BY position LIMIT ?`;
/** Not in the order of time: the whole table is walked, a page at a time. */
const SEQUENCES = 'SELECT rowid, updated_at FROM forecast_sequences WHERE rowid > ? ORDER BY rowid LIMIT ?';

const TO_PUBLISH = 'SELECT * FROM endpoints WHERE disabling_to_publish IS NOT NULL AND deleted = 0 ORDER BY disabling_to_publish LIMIT ?';
const PAUSED_BEFORE = 'SELECT * FROM endpoints WHERE paused_at < ? AND deleted = 0 ORDER BY paused_at LIMIT ?';

/**
 * Walks a table from its old end in pages and deletes what may go. Rows that must stay (a delivery still pending, an
 * event still referred to) are passed over; the place is remembered, and the walk starts again when it reaches young rows.
 */
class OldEnd<Row extends { readonly position: number; readonly created_at: number }> {
  readonly #db: SqliteDatabase;
  readonly #sql: string;
  #after = 0;

  constructor(db: SqliteDatabase, sql: string) {
    this.#db = db;
    this.#sql = sql;
  }

  /** The next page of rows made before an instant; `more` says whether further pages follow. */
  page(before: number, limit: number): { readonly rows: Row[]; readonly more: boolean } {
    const rows = this.#db.all<Row>(this.#sql, this.#after, limit);
    const young = rows.findIndex((row) => row.created_at >= before);
    const old = young === -1 ? rows : rows.slice(0, young);
    const more = young === -1 && rows.length === limit;
    this.#after = more ? (rows.at(-1)?.position ?? 0) : 0;
    return { rows: old, more };
  }
}

export function createSqliteMaintenance(queue: SqliteQueueOptions): Maintenance {
  const { db } = queue;
  const deliveries = new OldEnd<OldDelivery & { status: string; created_at: number }>(db, OLD_DELIVERIES);
  const events = new OldEnd<{ position: number; created_at: number; in_use: number }>(db, OLD_EVENTS);
  let sequencesAfter = 0;
  return {
    async holdDisabled(limit) {
      const inFlight = queue.inFlight.atEndpoints(
        (tenantId, endpointId) => queue.endpoints.get(tenantId, endpointId)?.status === 'disabled',
      );
      const more = await db.transaction(() => {
        queue.inFlight.queue(inFlight);
        const sql = `UPDATE deliveries SET status = 'held', next_attempt_at = NULL, next_reason = NULL, available_at = NULL WHERE position IN (
          SELECT d.position FROM endpoints e INDEXED BY endpoints_disabled CROSS JOIN deliveries d INDEXED BY deliveries_unfinished
            ON d.tenant_id = e.tenant_id AND d.endpoint_id = e.endpoint_id AND d.status NOT IN ('succeeded', 'sending') AND d.status = 'pending'
          WHERE e.status = 'disabled' AND e.deleted = 0 LIMIT ?)`;
        return db.run(sql, limit).changes === limit;
      });
      queue.inFlight.remove(inFlight.map(({ deliveryId }) => deliveryId));
      return more;
    },
    purgeDeleted: (limit) =>
      db.transaction(() => {
        const endpoint = db.get<{ tenant_id: string; endpoint_id: string }>(
          'SELECT tenant_id, endpoint_id FROM endpoints INDEXED BY endpoints_deleted WHERE deleted = 1 LIMIT 1',
        );
        if (!endpoint) return false;
        const { tenant_id, endpoint_id } = endpoint;
        const rows = db.all<OldDelivery>(
          'SELECT position FROM deliveries WHERE tenant_id = ? AND endpoint_id = ? LIMIT ?',
          tenant_id,
          endpoint_id,
          limit,
        );
        deleteDeliveries(db, rows);
        if (rows.length < limit) db.run('DELETE FROM endpoints WHERE tenant_id = ? AND endpoint_id = ?', tenant_id, endpoint_id);
        return true;
      }),
    expireDeliveries: (before, limit) =>
      db.transaction(() => {
        const { rows, more } = deliveries.page(before, limit);
        deleteDeliveries(
          db,
          rows.filter(({ status }) => status !== 'pending' && status !== 'sending'),
        );
        return more;
      }),
    expireEvents: (before, limit) =>
      db.transaction(() => {
        const { rows, more } = events.page(before, limit);
        for (const { position, in_use } of rows) {
          if (in_use === 0) db.run('DELETE FROM events WHERE position = ?', position);
        }
        return more;
      }),
    expireSequences: (before, limit) =>
      db.transaction(() => {
        const rows = db.all<{ rowid: number; updated_at: number }>(SEQUENCES, sequencesAfter, limit);
        for (const { rowid, updated_at } of rows) {
          if (updated_at < before) db.run('DELETE FROM forecast_sequences WHERE rowid = ?', rowid);
        }
        sequencesAfter = rows.length === limit ? (rows.at(-1)?.rowid ?? 0) : 0;
        return sequencesAfter > 0;
      }),
    disablingsToPublish: async (limit) => db.all<EndpointRow>(TO_PUBLISH, limit).map(endpointOf),
    pausedBefore: async (before, limit) => db.all<EndpointRow>(PAUSED_BEFORE, before, limit).map(endpointOf),
  };
}
