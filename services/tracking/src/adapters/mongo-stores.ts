import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoIdempotencyStore } from '@parcelway/mongo/mongo-idempotency';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { createMongoCallLedgers } from '../connections/adapters/mongo-call-ledgers.ts';
import { createMongoConnections } from '../connections/adapters/mongo-connections.ts';
import type { CallLedgers, ConnectionStore } from '../connections/ports.ts';
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
  readonly connections: ConnectionStore;
  readonly ledgers: CallLedgers;
  readonly keys: MongoIdempotencyStore;
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
    connections: createMongoConnections(db),
    ledgers: createMongoCallLedgers(db),
    keys: new MongoIdempotencyStore(db),
    outbox: new MongoOutbox(db, parcels, { clock }),
  };
}
