import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import type { TrackingStore } from '../ports.ts';
import { createMongoParcelStore } from './mongo-parcels.ts';
import { createMongoPollQueue } from './mongo-poll-queue.ts';
import { createMongoRetention } from './mongo-retention.ts';
import { parcels } from './mongo-schema.ts';
import { createMongoShipmentReader } from './mongo-shipment-reader.ts';
import { createMongoSimulatedParcels } from './mongo-simulated-parcels.ts';

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
