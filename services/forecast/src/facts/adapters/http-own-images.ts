import type { Environment } from '@parcelway/contracts/environment';
import { decodeImageId } from '@parcelway/contracts/file-receipt';
import type { ForecastImageRemoval } from '@parcelway/contracts/own-files-api';
import { tenantOf } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import type { Request, Router } from 'express';
import { type DetailOptions, imageData } from '../../lists/adapters/representations.ts';
import type { ChangeImages, ChangeImagesOptions, ImagesOwner } from '../change-images.ts';

const ownerOf = (req: Request): ImagesOwner => ({
  tenantId: tenantOf(req),
  poNumber: String(req.params['po_number']),
  traceparent: traceparentOf(req),
});

/** The number in a path. What is no number is one that no image has. */
function imageNumberOf(req: Request): number {
  const text = String(req.params['image_number']);
  return /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
}

/** The public routes by which tenants put their own images on forecasts. */
export function ownImageRoutes(router: Router, images: ChangeImages, detail: Pick<DetailOptions, 'shownIdOf'>): void {
  router.post('/open/v1/forecasts/:po_number/images', jsonBody(), async (req, res) => {
    const { record, image } = await images.add(ownerOf(req), req.body);
    sendOk(res, imageData(record, image, detail));
  });
  router.delete('/open/v1/forecasts/:po_number/images/:image_number', async (req, res) => {
    const { record, image } = await images.remove(ownerOf(req), imageNumberOf(req));
    sendOk(res, { po_number: record.poNumber, id: image.id, removed: true } satisfies ForecastImageRemoval);
  });
}

/** Reads the images of `image_id`s, without a call: they are receipts of the file service. @param secrets by which they may be signed */
export function createImageReader(secrets: readonly string[], environment: Environment): ChangeImagesOptions['readImage'] {
  return (tenantId, imageId) => {
    const image = decodeImageId(secrets, imageId);
    return image?.tenant_id === tenantId && image.environment === environment ? image : undefined;
  };
}
