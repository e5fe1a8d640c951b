import type { ImageReceipt } from '@parcelway/contracts/file-receipt';
import { ForecastImageAddition } from '@parcelway/contracts/own-files-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { findForecast } from '../lists/query-forecasts.ts';
import type { AttachedPhoto } from '../store/domain/forecast.ts';
import type { KnownForecast } from '../store/domain/known-forecast.ts';
import type { ForecastReader } from '../store/forecast-store.ts';
import type { ForecastWriter } from '../store/forecast-writer.ts';
import { decideImageAddition, decideImageRemoval, type ImagesChange, type ImagesDecision } from './domain/decide-images.ts';

export interface ChangeImagesOptions {
  readonly store: ForecastReader;
  readonly writer: ForecastWriter;
  readonly clock: Clock;
  /** The image of an `image_id`; undefined unless the upload endpoint returned it to this tenant in this environment. */
  readonly readImage: (tenantId: string, imageId: string) => ImageReceipt | undefined;
}

export interface ImagesOwner {
  readonly tenantId: string;
  readonly poNumber: string;
  /** `traceparent` of the request, for the event. */
  readonly traceparent?: string | undefined;
}

export type ChangeImages = ReturnType<typeof createChangeImages>;

const validator = compileValidator(ForecastImageAddition);

function photoOf({ image_type, image_order = 0 }: ForecastImageAddition, receipt: ImageReceipt): AttachedPhoto {
  const { id, image_path, image_url, file_size, upload_time } = receipt;
  return { id, image_path, image_url, file_size, upload_time, image_type, image_order };
}

/** The use cases of a tenant's own images: the list and the message about it in one durable write. */
export function createChangeImages({ store, writer, clock, readImage }: ChangeImagesOptions) {
  async function change(
    { tenantId, poNumber, traceparent }: ImagesOwner,
    decide: (known: KnownForecast | undefined, change: ImagesChange) => ImagesDecision,
  ): Promise<ImagesDecision> {
    const { forecastNo } = await findForecast(store, tenantId, poNumber);
    const at = { now: clock.now(), traceparent };
    return (await writer.change([{ tenantId, forecastNo }], ([known]) => decide(known, at))).decision;
  }
  return {
    /** @throws AppError 42201, 40401, 40902, in this order */
    async add(owner: ImagesOwner, body: unknown): Promise<ImagesDecision> {
      const addition = validator.parse(body);
      const receipt = readImage(owner.tenantId, addition.image_id);
      if (receipt === undefined) {
        const message = 'image_id must be an image_id that POST /open/v1/files/image returned to this tenant';
        throw AppError.validation([{ field: 'image_id', rule: 'image_id', message }]);
      }
      return change(owner, (known, at) => decideImageAddition(known, photoOf(addition, receipt), at));
    },
    /** @param id of the image @throws AppError 40401, 40902, 40403 */
    remove: (owner: ImagesOwner, id: number): Promise<ImagesDecision> => change(owner, (known, at) => decideImageRemoval(known, id, at)),
  };
}
