import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { MAX_NODES, nodeInstant } from '../domain/node.ts';
import { inDispatchOrder, type Shipment } from '../domain/shipment.ts';
import { addSimulatedNode } from '../domain/simulated-node.ts';
import type { CarrierParcel, ShipmentFinder, ShipmentReader, SimulatedParcels, TrackingStore } from '../ports.ts';
import { PollLeases } from './poll-leases.ts';
import { createSqliteParcelStore } from './sqlite-parcels.ts';
import { createSqlitePollQueue } from './sqlite-poll-queue.ts';
import { createSqliteRetention } from './sqlite-retention.ts';
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
const BY_NUMBER = 'SELECT * FROM shipments WHERE tracking_number = ? AND is_watched = 1 ORDER BY watched_since DESC LIMIT ?';

/** Reads shipments and histories in the service's SQLite file. */
function createSqliteShipmentReader(db: SqliteDatabase): ShipmentReader & ShipmentFinder {
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

/** The nodes of the sandbox's carrier in the service's SQLite file. */
export function createSqliteSimulatedParcels(db: SqliteDatabase): SimulatedParcels {
  return {
    async simulatedNodes({ tenantId, trackingNumber }) {
      return db
        .all<NodeRow>(
          'SELECT node FROM simulated_nodes WHERE tenant_id = ? AND tracking_number = ? ORDER BY instant, seq LIMIT ?',
          tenantId,
          trackingNumber,
          MAX_NODES,
        )
        .map(toNode);
    },

    addSimulatedNode: (parcel, wish, now) =>
      db.transaction(() => {
        const known = readPlaces(db, parcel);
        const { tenantId, trackingNumber } = parcel;
        const { node, dropped } = addSimulatedNode(
          known.map(({ instant }) => instant),
          wish,
          { trackingNumber, now },
        );
        for (const { seq } of known.slice(0, dropped)) {
          db.run('DELETE FROM simulated_nodes WHERE tenant_id = ? AND tracking_number = ? AND seq = ?', tenantId, trackingNumber, seq);
        }
        db.run(
          'INSERT INTO simulated_nodes (tenant_id, tracking_number, seq, instant, node) VALUES (?, ?, ?, ?, ?)',
          tenantId,
          trackingNumber,
          (known.at(-1)?.seq ?? 0) + 1,
          nodeInstant(node),
          JSON.stringify(node),
        );
        return node;
      }),
  };
}

/** The nodes of a parcel without their text, in the order of their creation. */
function readPlaces(db: SqliteDatabase, { tenantId, trackingNumber }: CarrierParcel): readonly { seq: number; instant: number }[] {
  return db.all(
    'SELECT seq, instant FROM simulated_nodes WHERE tenant_id = ? AND tracking_number = ? ORDER BY seq LIMIT ?',
    tenantId,
    trackingNumber,
    MAX_NODES,
  );
}

/** The tracking store in the service's SQLite file. @param db has the tracking migrations */
export function createSqliteTrackingStore(db: SqliteDatabase, outbox: SqliteOutbox): TrackingStore {
  const leases = new PollLeases();
  return {
    ...createSqliteParcelStore(db, outbox, leases),
    ...createSqliteShipmentReader(db),
    ...createSqlitePollQueue(db, leases),
    ...createSqliteSimulatedParcels(db),
    ...createSqliteRetention(db),
    async check() {
      db.get('SELECT 1 AS one');
    },
  };
}
