import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoIntakeStore } from './mongo-intake-store.ts';

/** The store of the service over MongoDB. `db`: migrated with intakeCollections. */
export function openMongoStores(db: MongoDatabase, clock: Clock): MongoIntakeStore {
  return new MongoIntakeStore(db, clock);
}
