import { createOpaqueNumbers } from '@parcelway/kernel/opaque-number';
import type { Platform } from '@parcelway/platform/service';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore } from '@parcelway/store/shared/usage-days';
import { createLoneWorkLease } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { SqliteDocuments } from '../documents/adapters/sqlite-documents.ts';
import { createSqliteTenantData } from '../erasure/adapters/sqlite-tenant-data.ts';
import type { FileStores } from '../ports.ts';
import { SqliteFileRetention } from '../retention/adapters/sqlite-file-retention.ts';
import { SqliteStorage } from '../storage/adapters/sqlite-storage.ts';
import { SqliteOwnFiles } from '../uploads/adapters/sqlite-own-files.ts';
import { SqliteFileStore } from './sqlite-file-store.ts';

/** Opens the stores of the service. */
export function openFileStores(platform: Platform): Promise<FileStores> {
  const file = createOpaqueNumbers(platform.numberSecret, 'files');
  const shown = { file, photo: createOpaqueNumbers(platform.numberSecret, 'photos'), fileNumber: (number: number) => file.hidden(number) };
  return platform.openStores<FileStores>('file', {
    sqlite: (db) => ({
      store: new SqliteFileStore(db, shown),
      documents: new SqliteDocuments(db),
      retention: new SqliteFileRetention(db),
      ownFiles: new SqliteOwnFiles(db, shown),
      keys: createIdempotencyStore(createSqliteStore({ db })),
      usage: createUsageStore(createSqliteStore({ db })),
      stored: new SqliteStorage(db),
      lease: (name) => createLoneWorkLease(createSqliteStore({ db }), name),
      tenantData: (blobs) => createSqliteTenantData(db, blobs),
    }),
    async mongo(db) {
      const { openMongoStores } = await import('./mongo-stores.ts');
      return openMongoStores(db, shown);
    },
  });
}
