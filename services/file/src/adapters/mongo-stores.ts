import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoIdempotencyStore } from '@parcelway/mongo/mongo-idempotency';
import type { ShownNumbers } from '../domain/stored-file.ts';
import { MongoFileStore } from './mongo-file-store.ts';

/** The stores of the service over MongoDB. `db`: migrated with fileCollections; `shown`: what callers see of a number. */
export function openMongoStores(
  db: MongoDatabase,
  shown: ShownNumbers,
): { readonly store: MongoFileStore; readonly keys: MongoIdempotencyStore } {
  return { store: new MongoFileStore(db, shown), keys: new MongoIdempotencyStore(db) };
}
