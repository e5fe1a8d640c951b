import type { Clock } from '@parcelway/kernel/clock';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import type { CarrierNode } from '../domain/node.ts';
import { addSimulatedNode, type NodeWish } from '../domain/simulated-node.ts';
import type { CarrierParcel, SimulatedParcels, TrackingStore } from '../ports.ts';
import { simulatedParcelFilter, simulatedParcelId, toNode, toNodeFields } from './mongo-documents.ts';
import { createMongoParcelStore } from './mongo-parcels.ts';
import { createMongoPollQueue } from './mongo-poll-queue.ts';
import { createMongoRetention } from './mongo-retention.ts';
import { parcels, simulatedParcels } from './mongo-schema.ts';
import { createMongoShipmentReader } from './mongo-shipment-reader.ts';

/** What of a parcel decides on the next node. */
interface Known {
  readonly revision: number;
  readonly nodes: readonly { readonly instant: number }[];
}

/** The nodes of the sandbox's carrier in MongoDB, shared by all processes. */
function createMongoSimulatedParcels(db: MongoDatabase): SimulatedParcels {
  const model = db.model(simulatedParcels);

  /** Undefined when another process was quicker. */
  const attempt = async (parcel: CarrierParcel, wish: NodeWish, now: number): Promise<CarrierNode | undefined> => {
    const _id = simulatedParcelId(parcel);
    const { tenantId: tenant_id, trackingNumber } = parcel;
    const known = await model.findOne(simulatedParcelFilter(parcel), { revision: 1, 'nodes.instant': 1 }).lean<Known>();
    const instants = (known?.nodes ?? []).map(({ instant }) => instant);
    const { node, dropped } = addSimulatedNode(instants, wish, { trackingNumber, now });
    const fields = toNodeFields(node);
    if (!known) {
      const document = { _id, tenant_id, tracking_number: trackingNumber, revision: 1, last_change_at: now, nodes: [fields] };
      await model.collection.insertOne(document as object);
      return node;
    }
    const { matchedCount } = await model.updateOne(
      { ...simulatedParcelFilter(parcel), revision: known.revision },
      {
        $set: { last_change_at: now },
        $inc: { revision: 1 },
        $push: { nodes: { $each: [fields], $slice: dropped - instants.length - 1 } },
      },
    );
    return matchedCount === 1 ? node : undefined;
  };

  return {
    async simulatedNodes(parcel) {
      const found = await db.run(() => model.findOne(simulatedParcelFilter(parcel), { nodes: 1 }).lean());
      return [...(found?.nodes ?? [])].sort((a, b) => a.instant - b.instant).map(toNode);
    },

    addSimulatedNode: (parcel, wish, now) =>
      db.run(() =>
        untilWritten(() =>
          attempt(parcel, wish, now).catch((error: unknown) => {
            if (isDuplicateKey(error)) return undefined;
            throw error;
          }),
        ),
      ),
  };
}

/** The service's stores in MongoDB. */
export interface MongoStores {
  readonly store: TrackingStore;
  readonly outbox: MongoOutbox;
}

/** @param db has the collections of mongo-schema */
export function openMongoStores(db: MongoDatabase, clock: Clock): MongoStores {
  return {
    store: {
      ...createMongoParcelStore(db, clock),
      ...createMongoShipmentReader(db),
      ...createMongoPollQueue(db),
      ...createMongoSimulatedParcels(db),
      ...createMongoRetention(db),
      check: () => db.check(),
    },
    outbox: new MongoOutbox(db, parcels, { clock }),
  };
}
