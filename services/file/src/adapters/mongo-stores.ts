import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoIdempotencyStore } from '@parcelway/mongo/mongo-idempotency';
import { MongoUsage } from '@parcelway/mongo/mongo-usage';
import { MongoWorkLease } from '@parcelway/mongo/mongo-work-lease';
import { MongoDocuments } from '../documents/adapters/mongo-documents.ts';
import type { ShownNumbers } from '../domain/stored-file.ts';
import { createMongoTenantData } from '../erasure/adapters/mongo-tenant-data.ts';
import type { FileStores, Lease } from '../ports.ts';
import { MongoFileRetention } from '../retention/adapters/mongo-file-retention.ts';
import { MongoStorage } from '../storage/adapters/mongo-storage.ts';
import { MongoOwnFiles } from '../uploads/adapters/mongo-own-files.ts';
import { MongoFileStore } from './mongo-file-store.ts';

/** The stores of the service over MongoDB. `db`: migrated with fileCollections; `shown`: what callers see of a number. */
export function openMongoStores(db: MongoDatabase, shown: ShownNumbers): FileStores {
  return {
    store: new MongoFileStore(db, shown),
    documents: new MongoDocuments(db),
    retention: new MongoFileRetention(db),
    ownFiles: new MongoOwnFiles(db),
    keys: new MongoIdempotencyStore(db),
    usage: new MongoUsage(db),
    stored: new MongoStorage(db),
    lease: (name: Lease) => new MongoWorkLease(db, name),
    tenantData: (blobs) => createMongoTenantData(db, blobs),
  };
}
