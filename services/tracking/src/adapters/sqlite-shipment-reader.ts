import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { inDispatchOrder, type Shipment } from '../domain/shipment.ts';
import type { ShipmentFinder, ShipmentReader } from '../ports.ts';
import { keyColumns, type NodeRow, type ShipmentRow, toNode, toShipment } from './sqlite-rows.ts';

/**
 * The live forecast of a po_number, otherwise the newest. The index is named because the planner, which knows no numbers,
 * would rather walk all forecasts of the tenant.
 */
export const BY_PO_NUMBER = `SELECT forecast_no, cancelled_at FROM forecasts INDEXED BY forecasts_by_po
  WHERE tenant_id = ? AND po_number = ? ORDER BY cancelled_at IS NOT NULL, accepted_at DESC, forecast_id DESC LIMIT 1`;

const OF_FORECAST = 'SELECT * FROM shipments WHERE tenant_id = ? AND forecast_no = ?';

const HISTORY = `SELECT node FROM nodes WHERE tenant_id = ? AND forecast_no = ? AND further_number = ? AND watch = ?
  ORDER BY instant DESC, seq DESC LIMIT ?`;

/** The newest watches under a tracking number. */
export const BY_NUMBER = 'SELECT * FROM shipments WHERE tracking_number = ? AND is_watched = 1 ORDER BY watched_since DESC LIMIT ?';

/** Reads shipments and histories in the service's SQLite file. */
export function createSqliteShipmentReader(db: SqliteDatabase): ShipmentReader & ShipmentFinder {
  const shipmentsOf = (tenantId: string, forecastNo: string): readonly Shipment[] =>
    inDispatchOrder(db.all<ShipmentRow>(OF_FORECAST, tenantId, forecastNo).map(toShipment));
  return {
    async findByPoNumber(tenantId, poNumber) {
      const row = db.get<{ forecast_no: string; cancelled_at: number | null }>(BY_PO_NUMBER, tenantId, poNumber);
      if (!row) return undefined;
      return {
        forecastNo: row.forecast_no,
        isCancelled: row.cancelled_at !== null,
        shipments: shipmentsOf(tenantId, row.forecast_no),
      };
    },

    findShipments: async (tenantId, forecastNo) => shipmentsOf(tenantId, forecastNo),

    async findByNumber(trackingNumber, limit) {
      return db.all<ShipmentRow>(BY_NUMBER, trackingNumber, limit).map((row) => toShipment(row));
    },

    async history(shipment, limit) {
      return db.all<NodeRow>(HISTORY, ...keyColumns(shipment), shipment.watch, limit).map(toNode);
    },
  };
}
