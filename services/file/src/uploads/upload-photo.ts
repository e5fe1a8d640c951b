import { newToken } from '@parcelway/kernel/ids';
import type { PhotoRecords } from '../contents/content-records.ts';
import type { NewPhoto, StoredPhoto } from '../domain/stored-file.ts';
import type { ClaimUpload, IncomingFile } from '../ports.ts';
import { imageUnusedSince } from '../retention/decide-files.ts';
import { assertNotErased, type StoreTenantContentOptions, storeContent } from '../store-content.ts';

export interface UploadPhotoOptions extends StoreTenantContentOptions {
  readonly records: PhotoRecords;
}

function upload(
  options: UploadPhotoOptions,
  ownerId: string,
  incoming: IncomingFile,
  claim: ClaimUpload | undefined,
  record: (photo: NewPhoto) => Promise<StoredPhoto>,
): Promise<StoredPhoto> {
  return storeContent(options, {
    ownerId,
    prefix: 'photo',
    incoming,
    failpoint: 'photo.content-stored',
    beforeStored: claim,
    async record(storageKey, digest) {
      const photo = { ...digest, storageKey, token: newToken(), mediaType: incoming.kind.mediaType, uploadedAt: options.clock.now() };
      return { value: await record(photo), keep: true };
    },
  });
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
  return upload(options, warehouseCode, incoming, claim, (photo) => options.records.recordPhoto(warehouseCode, photo));
}

/**
 * As {@link uploadPhoto}, for an image of a tenant. It is unused until the tenant puts it on a forecast.
 * @throws AppError as {@link uploadPhoto}
 */
export function uploadImage(
  options: UploadPhotoOptions,
  tenantId: string,
  incoming: IncomingFile,
  claim?: ClaimUpload,
): Promise<StoredPhoto> {
  return upload(options, tenantId, incoming, claim, async (image) => {
    assertNotErased(options, tenantId);
    return options.records.recordImage(tenantId, image, imageUnusedSince(image.uploadedAt));
  });
}
