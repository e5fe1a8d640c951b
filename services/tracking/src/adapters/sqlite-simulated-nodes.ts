import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { MAX_NODES, nodeInstant } from '../domain/node.ts';
import { addSimulatedNode } from '../domain/simulated-node.ts';
import type { CarrierParcel, SimulatedParcels } from '../ports.ts';
import { type NodeRow, toNode } from './sqlite-rows.ts';

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
