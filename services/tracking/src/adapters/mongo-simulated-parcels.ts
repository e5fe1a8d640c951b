import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { type CarrierNode, MAX_NODES } from '../domain/node.ts';
import { type NodeWish, simulateNode } from '../domain/simulated-node.ts';
import type { CarrierParcel, SimulatedParcels } from '../ports.ts';
import { parcelId, simulatedParcelId, toNode, toNodeFields } from './mongo-documents.ts';
import { LOST, retryLost } from './mongo-revision.ts';
import { parcels, simulatedParcels } from './mongo-schema.ts';

/** What of a parcel decides on the next node. */
interface Known {
  readonly revision: number;
  readonly nodes: readonly { readonly instant: number }[];
}

/**
 * The nodes of the sandbox's carrier in MongoDB, shared by all processes.
 *
 * Crashes: the node is written before the shipment is made due, so who is woken finds it. When the process ends in
 * between, the caller has no answer and simulates again; the node that is there is seen with the next poll.
 */
export function createMongoSimulatedParcels(db: MongoDatabase): SimulatedParcels {
  const shipments = db.model(parcels);
  const model = db.model(simulatedParcels);

  const attempt = async (parcel: CarrierParcel, wish: NodeWish, now: number): Promise<CarrierNode | typeof LOST> => {
    const _id = simulatedParcelId(parcel);
    const known = await model.findOne({ _id }, { revision: 1, 'nodes.instant': 1 }).lean<Known>();
    const instants = (known?.nodes ?? []).map(({ instant }) => instant);
    const newest = instants.length === 0 ? undefined : Math.max(...instants);
    const node = simulateNode(wish, parcel.trackingNumber, newest, now);
    const fields = toNodeFields(node);
    if (!known) {
      const { tenantId: tenant_id, trackingNumber: tracking_number } = parcel;
      await model.collection.insertOne({ _id, tenant_id, tracking_number, revision: 1, last_change_at: now, nodes: [fields] } as object);
      return node;
    }
    const { matchedCount } = await model.updateOne(
      { _id, revision: known.revision },
      { $set: { last_change_at: now }, $inc: { revision: 1 }, $push: { nodes: { $each: [fields], $slice: -MAX_NODES } } },
    );
    return matchedCount === 1 ? node : LOST;
  };

  const attemptOrLost = async (...given: Parameters<typeof attempt>): Promise<CarrierNode | typeof LOST> => {
    try {
      return await attempt(...given);
    } catch (error) {
      if (isDuplicateKey(error)) return LOST;
      throw error;
    }
  };

  return {
    async simulatedNodes(parcel) {
      const found = await db.run(() => model.findOne({ _id: simulatedParcelId(parcel) }, { nodes: 1 }).lean());
      return [...(found?.nodes ?? [])].sort((a, b) => a.instant - b.instant).map(toNode);
    },

    simulate: (shipment, wish, now) =>
      db.run(async () => {
        const node = await retryLost(() => attemptOrLost(shipment, wish, now));
        await shipments.updateOne(
          { _id: parcelId(shipment), 'shipment.watch': { $exists: true } },
          { $set: { 'shipment.next_poll_at': now, 'shipment.lease_until': 0 }, $inc: { 'shipment.wakes': 1, revision: 1 } },
        );
        return node;
      }),
  };
}
