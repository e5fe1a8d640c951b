import type { Blobs } from '@parcelway/blobs/blobs';
import { createOpaqueNumbers } from '@parcelway/kernel/opaque-number';
import type { OpenStore } from '@parcelway/platform/open-store';
import type { Platform } from '@parcelway/platform/service';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore } from '@parcelway/store/shared/usage-days';
import { fileCollections } from '../collections.ts';
import { createContentRecords } from '../contents/content-records.ts';
import { createDocumentRecords } from '../documents/documents.ts';
import type { ShownNumbers } from '../domain/stored-file.ts';
import { createTenantData } from '../erasure/tenant-data.ts';
import { createFileRetention } from '../retention/file-retention.ts';
import { createOwnFiles } from '../uploads/own-files.ts';

export type FileStores = ReturnType<typeof createFileStores>;

/** The stores of the service. @param opened with {@link fileCollections} @param shown what callers see of a number */
export function createFileStores({ store, check, lease, tenantData }: OpenStore, shown: ShownNumbers) {
  return {
    collections: store,
    store: createContentRecords(store, shown),
    documents: createDocumentRecords(store),
    retention: createFileRetention(store),
    ownFiles: createOwnFiles(store),
    keys: createIdempotencyStore(store),
    usage: createUsageStore(store),
    /** @param blobs where the contents are */
    tenantData: (blobs: Blobs) => createTenantData(store, blobs, tenantData),
    check,
    lease,
  };
}

export async function openFileStores(platform: Platform): Promise<FileStores> {
  const numbers = (series: string) => createOpaqueNumbers(platform.numberSecret, series);
  return createFileStores(await platform.openStore('file', fileCollections), { file: numbers('files'), photo: numbers('photos') });
}
