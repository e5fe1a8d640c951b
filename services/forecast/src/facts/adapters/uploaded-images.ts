import type { Environment } from '@parcelway/contracts/environment';
import { decodeImageId } from '@parcelway/contracts/image-receipt';
import type { ChangeImagesOptions } from '../change-images.ts';

/** Reads the images of `image_id`s, without a call: they are receipts of the file service. @param secrets by which they may be signed */
export function createImageReader(secrets: readonly string[], environment: Environment): ChangeImagesOptions['readImage'] {
  return (tenantId, imageId) => {
    const image = decodeImageId(secrets, imageId);
    return image?.tenant_id === tenantId && image.environment === environment ? image : undefined;
  };
}
