import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { MAX_NODES } from '../domain/node.ts';
import type { ShipmentFinder, ShipmentReader } from '../ports.ts';
import { type NodeRow, type ShipmentRow, toNode, toShipment } from './sqlite-rows.ts';

/**
 * The live forecast of a po_number, otherwise the newest. The index is named because the planner, which knows no numbers,
 * would rather walk all forecasts of the tenant.
 */
export const BY_PO_NUMBER = `SELECT forecast_no, cancelled_at FROM forecasts INDEXED BY forecasts_by_po
  WHERE tenant_id = ? AND po_number = ? ORDER BY cancelled_at IS NOT NULL, accepted_at DESC, forecast_id DESC LIMIT 1`;

const ONE_SHIPMENT = 'SELECT * FROM shipments WHERE tenant_id = ? AND forecast_no = ?';

/** The newest watches under a tracking number. */
export const BY_NUMBER =
  'SELECT * FROM shipments WHERE tracking_number = ? AND next_poll_at IS NOT NULL ORDER BY watched_since DESC LIMIT ?';

/** Reads shipments and histories in the service's SQLite file. */
export function createSqliteShipmentReader(db: SqliteDatabase): ShipmentReader & ShipmentFinder {
  return {
    async findByPoNumber(tenantId, poNumber) {
      const row = db.get<{ forecast_no: string; cancelled_at: number | null }>(BY_PO_NUMBER, tenantId, poNumber);
      if (!row) return undefined;
      const shipment = db.get<ShipmentRow>(ONE_SHIPMENT, tenantId, row.forecast_no);
      return { forecastNo: row.forecast_no, isCancelled: row.cancelled_at !== null, shipment: shipment ? toShipment(shipment) : null };
    },

    async findShipment(tenantId, forecastNo) {
      const row = db.get<ShipmentRow>(ONE_SHIPMENT, tenantId, forecastNo);
      return row && toShipment(row);
    },

    async findByNumber(trackingNumber, limit) {
      return db.all<ShipmentRow>(BY_NUMBER, trackingNumber, limit).map((row) => toShipment(row));
    },

    async history({ tenantId, forecastNo, watch }) {
      return db
        .all<NodeRow>(
          'SELECT node FROM nodes WHERE tenant_id = ? AND forecast_no = ? AND watch = ? ORDER BY instant DESC, seq DESC LIMIT ?',
          tenantId,
          forecastNo,
          watch,
          MAX_NODES,
        )
        .map(toNode);
    },
  };
}
