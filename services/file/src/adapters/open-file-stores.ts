import type { Blobs } from '@parcelway/blobs/blobs';
import { createOpaqueNumbers } from '@parcelway/kernel/opaque-number';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { Platform } from '@parcelway/platform/service';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore } from '@parcelway/store/shared/usage-days';
import { createLoneWorkLease, createWorkLease } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import type { Store } from '@parcelway/store/store';
import { fileCollections } from '../collections.ts';
import { createContentRecords } from '../contents/content-records.ts';
import { createDocumentRecords } from '../documents/document-records.ts';
import type { ShownNumbers } from '../domain/stored-file.ts';
import { createTenantData } from '../erasure/tenant-data.ts';
import { createFileRetention } from '../retention/file-retention.ts';
import { createStoredContents } from '../storage/stored-contents.ts';
import { createOwnFiles } from '../uploads/own-files.ts';

/** What depends on the database. */
interface OfDatabase {
  /** Resolves when the database responds. @throws AppError 50301 */
  check(): Promise<void>;
  /** Of work that one process at a time does. */
  lease(name: 'file-sweep' | 'storage-measurement'): WorkLease;
}

/** The stores of the service, and what they lie in. */
export type FileStores = ReturnType<typeof createFileStores>;

/** The stores of the service. @param store with {@link fileCollections} @param shown what callers see of a number */
export function createFileStores(store: Store, shown: ShownNumbers, ofDatabase: OfDatabase) {
  return {
    collections: store,
    store: createContentRecords(store, shown),
    documents: createDocumentRecords(store),
    retention: createFileRetention(store),
    ownFiles: createOwnFiles(store),
    keys: createIdempotencyStore(store),
    usage: createUsageStore(store),
    stored: createStoredContents(store),
    /** @param blobs where the contents are */
    tenantData: (blobs: Blobs) => createTenantData(store, blobs),
    ...ofDatabase,
  };
}

/** Opens the stores of the service. */
export function openFileStores(platform: Platform): Promise<FileStores> {
  const numbers = (series: string) => createOpaqueNumbers(platform.numberSecret, series);
  const shown = { file: numbers('files'), photo: numbers('photos') };
  return platform.openStores<FileStores>('file', {
    sqlite(db) {
      db.migrate([sqliteSchema(fileCollections)]);
      const store = createSqliteStore({ db });
      const check = async () => void db.get('SELECT 1 AS one');
      return createFileStores(store, shown, { check, lease: (name) => createLoneWorkLease(store, name) });
    },
    async mongo(db) {
      const { createMongoStore } = await import('@parcelway/store/mongo/mongo-store');
      const store = createMongoStore(db);
      return createFileStores(store, shown, { check: () => db.check(), lease: (name) => createWorkLease(store, name) });
    },
  });
}
