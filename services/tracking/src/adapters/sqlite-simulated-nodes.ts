import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { type CarrierNode, MAX_NODES, nodeInstant } from '../domain/node.ts';
import { type NodeWish, newestInstant, simulateNode } from '../domain/simulated-node.ts';
import type { CarrierParcel } from '../ports.ts';
import { type NodeRow, toNode } from './sqlite-rows.ts';

/** The nodes of a simulated parcel, oldest first; of one instant in the order of their making. */
export function readSimulatedNodes(db: SqliteDatabase, parcel: CarrierParcel): readonly CarrierNode[] {
  return db
    .all<NodeRow>(
      'SELECT node FROM simulated_nodes WHERE tenant_id = ? AND tracking_number = ? ORDER BY instant, seq LIMIT ?',
      parcel.tenantId,
      parcel.trackingNumber,
      MAX_NODES,
    )
    .map(toNode);
}

/** Adds a node to a simulated parcel, and drops the first made when there are too many. Only inside a transaction. */
export function addSimulatedNode(db: SqliteDatabase, parcel: CarrierParcel, wish: NodeWish, now: number): CarrierNode {
  const { tenantId, trackingNumber } = parcel;
  const node = simulateNode(wish, trackingNumber, newestInstant(readSimulatedNodes(db, parcel)), now);
  db.run(
    `INSERT INTO simulated_nodes (tenant_id, tracking_number, seq, instant, node)
     SELECT ?1, ?2, (SELECT coalesce(max(seq), 0) + 1 FROM simulated_nodes WHERE tenant_id = ?1 AND tracking_number = ?2), ?3, ?4`,
    tenantId,
    trackingNumber,
    nodeInstant(node),
    JSON.stringify(node),
  );
  db.run(
    `DELETE FROM simulated_nodes WHERE tenant_id = ?1 AND tracking_number = ?2
       AND seq <= (SELECT max(seq) FROM simulated_nodes WHERE tenant_id = ?1 AND tracking_number = ?2) - ?3`,
    tenantId,
    trackingNumber,
    MAX_NODES,
  );
  return node;
}
