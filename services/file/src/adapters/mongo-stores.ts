import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoIdempotencyStore } from '@parcelway/mongo/mongo-idempotency';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { MongoUsage } from '@parcelway/mongo/mongo-usage';
import type { ShownNumbers } from '../domain/stored-file.ts';
import { MongoOwnFiles } from '../own-files/adapters/mongo-own-files.ts';
import { MongoFileRetention } from '../retention/adapters/mongo-file-retention.ts';
import { MongoStorage } from '../storage/adapters/mongo-storage.ts';
import { MongoDocumentOrders } from './mongo-document-orders.ts';
import { MongoDocumentStore } from './mongo-document-store.ts';
import { MongoFileStore } from './mongo-file-store.ts';
import { contents } from './mongo-schema.ts';

/** The service's stores in MongoDB. */
export interface MongoStores {
  readonly store: MongoFileStore;
  readonly documents: MongoDocumentStore;
  readonly orders: MongoDocumentOrders;
  readonly retention: MongoFileRetention;
  readonly ownFiles: MongoOwnFiles;
  readonly outbox: MongoOutbox;
  readonly keys: MongoIdempotencyStore;
  readonly usage: MongoUsage;
  readonly stored: MongoStorage;
}

/** The stores of the service over MongoDB. `db`: migrated with fileCollections; `shown`: what callers see of a number. */
export function openMongoStores(db: MongoDatabase, shown: ShownNumbers, clock: Clock): MongoStores {
  const outbox = new MongoOutbox(db, contents, { clock, holdsFromWrite: true, hasMessagesOnce: true });
  return {
    store: new MongoFileStore(db, shown),
    documents: new MongoDocumentStore(db, outbox),
    orders: new MongoDocumentOrders(db),
    retention: new MongoFileRetention(db),
    ownFiles: new MongoOwnFiles(db),
    outbox,
    keys: new MongoIdempotencyStore(db),
    usage: new MongoUsage(db),
    stored: new MongoStorage(db),
  };
}
