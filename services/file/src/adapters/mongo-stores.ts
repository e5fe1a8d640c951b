import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore } from '@parcelway/store/shared/usage-days';
import { createWorkLease } from '@parcelway/store/shared/work-leases';
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
    keys: createIdempotencyStore(createMongoStore(db)),
    usage: createUsageStore(createMongoStore(db)),
    stored: new MongoStorage(db),
    lease: (name: Lease) => createWorkLease(createMongoStore(db), name),
    tenantData: (blobs) => createMongoTenantData(db, blobs),
  };
}
