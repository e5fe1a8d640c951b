import { newToken } from '@parcelway/kernel/ids';
import type { StoredPhoto } from './domain/stored-file.ts';
import type { ClaimUpload, IncomingFile, PhotoRecords } from './ports.ts';
import { type StoreContentOptions, storeContent } from './store-content.ts';

/** What uploading a photo needs. */
export interface UploadPhotoOptions extends StoreContentOptions {
  readonly records: PhotoRecords;
}

/**
 * Stores a photo of a warehouse. Every upload is a photo of its own: the same picture sent twice is two records.
 * @throws AppError 42204, 42205, 42206, 42207
 */
export function uploadPhoto(
  options: UploadPhotoOptions,
  warehouseCode: string,
  incoming: IncomingFile,
  claim?: ClaimUpload,
): Promise<StoredPhoto> {
  return storeContent(options, {
    ownerId: warehouseCode,
    prefix: 'photo',
    incoming,
    failpoint: 'photo.content-stored',
    beforeStored: claim,
    async record(storageKey, digest) {
      const photo = { ...digest, storageKey, token: newToken(), mediaType: incoming.kind.mediaType, uploadedAt: options.clock.now() };
      return { value: await options.records.recordPhoto(warehouseCode, photo), keep: true };
    },
  });
}
