import { IMAGE_USABLE_DAYS, photoTokenOf } from '@parcelway/contracts/file-receipt';
import { type ForecastStatus, forecastStatuses, forecastStatusName } from '@parcelway/contracts/forecast-status';
import { MAX_OWN_IMAGES } from '@parcelway/contracts/own-image-events';
import { AppError } from '@parcelway/kernel/app-error';
import type { AttachedPhoto, ForecastRecord } from '../../store/domain/forecast.ts';
import type { ForecastWrite, KnownForecast } from '../../store/domain/known-forecast.ts';
import { imagesChangedMessage } from '../../store/domain/messages.ts';
import { isOwnImage, ownImage, withOwnImage, withoutOwnImage } from './attached-photos.ts';

export interface ImagesDecision {
  /** None when nothing changes. */
  readonly writes: readonly ForecastWrite[];
  /** The image that the change is about, and the forecast that it was decided on. */
  readonly image: AttachedPhoto;
  readonly record: ForecastRecord;
}

/** When a change is made, and by which request. */
export interface ImagesChange {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly traceparent: string | undefined;
}

const USABLE_MS = IMAGE_USABLE_DAYS * 86_400_000;

function assertNotCancelled(status: ForecastStatus): void {
  if (status !== forecastStatuses.CANCELLED) return;
  const name = forecastStatusName(status);
  throw new AppError('40902', `The forecast is ${name}: its images cannot change`, { data: { status, status_name: name } });
}

/** The write of a list; the version of the content stays. */
function writeOf(known: KnownForecast, attachedPhotos: readonly AttachedPhoto[], { now, traceparent }: ImagesChange): ForecastWrite {
  const { record } = known;
  const revision = (record.progress.imagesRevision ?? 0) + 1;
  const tokens = attachedPhotos.filter(isOwnImage).map(({ image_url }) => photoTokenOf(image_url));
  const message = imagesChangedMessage(
    record,
    revision,
    tokens.filter((token) => token !== undefined),
    now,
  );
  return {
    known,
    // The time for which a completed forecast is kept counts from there, and it is the warehouse that ends it, not an image.
    updatedAt: record.status === forecastStatuses.COMPLETED ? record.updatedAt : now,
    state: { status: record.status, progress: { ...record.progress, attachedPhotos, imagesRevision: revision } },
    applied: [],
    messages: [{ message, traceparent }],
  };
}

/**
 * Puts an image on a forecast, or gives it another type and order.
 * @param known undefined when there is no such forecast
 * @throws AppError 40401; 40902 when the forecast is cancelled or has as many images as it may; 42201 when the image was uploaded too long ago
 */
export function decideImageAddition(
  known: KnownForecast | undefined,
  photo: Omit<AttachedPhoto, 'source'>,
  change: ImagesChange,
): ImagesDecision {
  if (known === undefined) throw new AppError('40401');
  const { record } = known;
  assertNotCancelled(record.status);
  const before = record.progress.attachedPhotos;
  if (ownImage(before, photo.image_path) === undefined) {
    if (before.filter(isOwnImage).length >= MAX_OWN_IMAGES) {
      throw new AppError('40902', `The forecast has ${MAX_OWN_IMAGES} own images, as many as it may have; remove one first`);
    }
    if (change.now >= Date.parse(photo.upload_time) + USABLE_MS) {
      const message = `image_id was uploaded more than ${IMAGE_USABLE_DAYS} days ago; upload the image again`;
      throw AppError.validation([{ field: 'image_id', rule: 'expired', message }]);
    }
  }
  const after = withOwnImage(before, photo);
  const image = ownImage(after, photo.image_path) as AttachedPhoto;
  return { writes: after === before ? [] : [writeOf(known, after, change)], image, record };
}

/**
 * Takes an own image from a forecast.
 * @param id of the image
 * @throws AppError 40401; 40902 when the forecast is cancelled; 40403 when it has no such image of the tenant
 */
export function decideImageRemoval(known: KnownForecast | undefined, id: number, change: ImagesChange): ImagesDecision {
  if (known === undefined) throw new AppError('40401');
  const { record } = known;
  assertNotCancelled(record.status);
  const image = record.progress.attachedPhotos.find((one) => isOwnImage(one) && one.id === id);
  if (image === undefined)
    throw new AppError('40403', 'The forecast has no own image with this id; images of the warehouse cannot be removed');
  return { writes: [writeOf(known, withoutOwnImage(record.progress.attachedPhotos, id), change)], image, record };
}
