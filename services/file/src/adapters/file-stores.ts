import type { Blobs } from '@parcelway/blobs/blobs';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { UsageStore } from '@parcelway/kernel/usage-counter';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { FileTenantData } from '../erasure/ports.ts';
import type { DocumentRecords, FileStore } from '../ports.ts';
import type { FileRetention } from '../retention/ports.ts';
import type { StoredContents } from '../storage/ports.ts';
import type { OwnFiles } from '../uploads/ports.ts';

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
