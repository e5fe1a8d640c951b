import type { Blobs } from '@parcelway/blobs/blobs';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import { createOpaqueNumbers } from '@parcelway/kernel/opaque-number';
import type { UsageStore } from '@parcelway/kernel/usage-counter';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { Platform } from '@parcelway/platform/service';
import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteUsage } from '@parcelway/sqlite/usage';
import { SqliteWorkLease } from '@parcelway/sqlite/work-lease';
import { createSqliteTenantData } from '../erasure/adapters/sqlite-tenant-data.ts';
import type { FileTenantData } from '../erasure/ports.ts';
import { SqliteOwnFiles } from '../own-files/adapters/sqlite-own-files.ts';
import type { OwnFiles } from '../own-files/ports.ts';
import type { DocumentRecords, FileStore } from '../ports.ts';
import { SqliteFileRetention } from '../retention/adapters/sqlite-file-retention.ts';
import type { FileRetention } from '../retention/ports.ts';
import { SqliteStorage } from '../storage/adapters/sqlite-storage.ts';
import type { StoredContents } from '../storage/ports.ts';
import { SqliteDocuments } from './sqlite-documents.ts';
import { SqliteFileStore } from './sqlite-file-store.ts';

/** Work that one process at a time does. */
export type Lease = 'file-sweep' | 'storage-measurement';

/** All that the service keeps. */
export interface FileStores {
  readonly store: FileStore;
  readonly documents: DocumentRecords;
  readonly retention: FileRetention;
  readonly ownFiles: OwnFiles;
  readonly keys: IdempotencyStore;
  readonly usage: UsageStore;
  readonly stored: StoredContents;
  lease(name: Lease): WorkLease;
  /** @param blobs where the contents are */
  tenantData(blobs: Blobs): FileTenantData;
}

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
      keys: new SqliteIdempotencyStore(db),
      usage: new SqliteUsage(db),
      stored: new SqliteStorage(db),
      lease: (name) => new SqliteWorkLease(db, name),
      tenantData: (blobs) => createSqliteTenantData(db, blobs),
    }),
    async mongo(db) {
      const { openMongoStores } = await import('./mongo-stores.ts');
      return openMongoStores(db, shown);
    },
  });
}
