import type { Environment } from '@parcelway/contracts/environment';
import { decodeImageId } from '@parcelway/contracts/image-receipt';
import type { ChangeImagesOptions } from '../change-images.ts';

/** Reads the images of `image_id`s, without a call: they are receipts of the file service. @param secret by which they are signed */
export function createImageReader(secret: string, environment: Environment): ChangeImagesOptions['readImage'] {
  return (tenantId, imageId) => {
    const image = decodeImageId(secret, imageId);
    return image?.tenant_id === tenantId && image.environment === environment ? image : undefined;
  };
}
