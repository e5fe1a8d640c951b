import { createHash } from 'node:crypto';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';
import type { AttachedPhoto, Dispatch, ForecastRecord, Measurement, Progress, WeighingPhoto } from './forecast.ts';
import { type Step, statusAfter, statusAfterCancel, takesDispatch } from './status.ts';

/** So many measurements and photos are kept of a forecast, the first of each list: a bound, far above any real parcel. */
export const MAX_KEPT = 1000;

/** Something that happened to a forecast, with what it brings. */
export type Happening =
  | { readonly step: 'warehouse.weighed'; readonly measurement: Measurement; readonly photos: readonly WeighingPhoto[] }
  | { readonly step: 'warehouse.photographed'; readonly photo: AttachedPhoto }
  | { readonly step: 'warehouse.dispatched'; readonly dispatch: Dispatch }
  | { readonly step: Exclude<Step, 'warehouse.weighed' | 'warehouse.photographed' | 'warehouse.dispatched'> };

/** What others are to be told. */
export type Notice =
  | { readonly kind: 'weighed'; readonly status: ForecastStatus; readonly weighedAt: string }
  | { readonly kind: 'dispatched'; readonly dispatch: Dispatch };

/** A forecast after something happened. */
export interface Advance {
  readonly status: ForecastStatus;
  readonly progress: Progress;
  readonly notices: readonly Notice[];
}

/** Adds to a sorted list: before the first element that does not come strictly before the new one. */
function placed<T>(list: readonly T[], element: T, comesBefore: (a: T, b: T) => boolean): T[] {
  const index = list.findIndex((other) => !comesBefore(other, element));
  const at = index === -1 ? list.length : index;
  return [...list.slice(0, at), element, ...list.slice(at)].slice(0, MAX_KEPT);
}

const weighedLater = (a: Measurement, b: Measurement): boolean => a.weighedAtMs > b.weighedAtMs;
const uploadedLater = (a: WeighingPhoto, b: WeighingPhoto): boolean =>
  a.uploadTimeMs > b.uploadTimeMs || (a.uploadTimeMs === b.uploadTimeMs && a.id > b.id);
const orderedBefore = (a: AttachedPhoto, b: AttachedPhoto): boolean =>
  a.imageOrder < b.imageOrder || (a.imageOrder === b.imageOrder && a.id < b.id);

function withWeighing(progress: Progress, measurement: Measurement, photos: readonly WeighingPhoto[]): Progress {
  let weighingPhotos = progress.weighingPhotos;
  for (const photo of photos) {
    const others = weighingPhotos.filter((known) => known.id !== photo.id);
    weighingPhotos = placed(others, photo, uploadedLater);
  }
  // The current measurement is the one weighed last, whichever report comes in last; of two at the same instant the later report.
  return { ...progress, weighingPhotos, measurements: placed(progress.measurements, measurement, weighedLater) };
}

/** The same photo, shown as the same. Its storage key names the photo: the id of an image may be its own (see imageId). */
function sameImage(a: AttachedPhoto, b: AttachedPhoto): boolean {
  return a.path === b.path && a.imageType === b.imageType && a.imageOrder === b.imageOrder;
}

/**
 * Id of an image, unique within the forecast: the photo's, unless another image has it. One photo with two types or orders
 * is two images; the id of the second comes from what makes it another, so that it does not depend on a counter.
 */
function imageId(photo: AttachedPhoto, known: readonly AttachedPhoto[]): number {
  const taken = new Set(known.map(({ id }) => id));
  if (!taken.has(photo.id)) return photo.id;
  const digest = createHash('sha256')
    .update(JSON.stringify([photo.path, photo.imageType, photo.imageOrder]))
    .digest();
  let id = digest.readUIntBE(0, 6);
  while (taken.has(id)) id += 1;
  return id;
}

function withPhoto(progress: Progress, photo: AttachedPhoto): Progress {
  const known = progress.attachedPhotos;
  if (known.some((image) => sameImage(image, photo))) return progress;
  return { ...progress, attachedPhotos: placed(known, { ...photo, id: imageId(photo, known) }, orderedBefore) };
}

/** The hand-over that holds after a report: the latest by the warehouse's time; a report of an earlier one changes nothing. */
function latestDispatch(known: Dispatch | null, reported: Dispatch): Dispatch {
  return known !== null && known.dispatchedAtMs > reported.dispatchedAtMs ? known : reported;
}

function sameShipment(a: Dispatch | null, b: Dispatch): boolean {
  return a !== null && a.carrierCode === b.carrierCode && a.trackingNumber === b.trackingNumber;
}

function moved(progress: Progress, from: ForecastStatus, to: ForecastStatus, now: number, reason: string): Progress {
  return from === to ? progress : { ...progress, history: [...progress.history, { status: to, at: now, reason }] };
}

/**
 * A forecast after something happened to it. Every measurement is announced, also one that comes late or belongs to a
 * cancelled forecast; a dispatch is announced when it changes carrier or number.
 * @param now when the platform records it; epoch milliseconds
 * @throws AppError 40902 for a dispatch of a type 1 forecast, whose goods stay in the warehouse
 */
export function advance(
  forecast: Pick<ForecastRecord, 'status' | 'forecastType' | 'progress'>,
  happening: Happening,
  now: number,
): Advance {
  const status = statusAfter(forecast.status, forecast.forecastType, happening.step);
  const progress = moved(forecast.progress, forecast.status, status, now, happening.step);
  switch (happening.step) {
    case 'warehouse.weighed': {
      const { measurement, photos } = happening;
      const notice: Notice = { kind: 'weighed', status, weighedAt: measurement.weighedAt };
      return { status, progress: withWeighing(progress, measurement, photos), notices: [notice] };
    }
    case 'warehouse.photographed':
      return { status, progress: withPhoto(progress, happening.photo), notices: [] };
    case 'warehouse.dispatched': {
      if (!takesDispatch(forecast.forecastType)) throw new AppError('40902', 'A type 1 forecast takes no dispatch');
      const dispatch = latestDispatch(progress.dispatch, happening.dispatch);
      const notices: Notice[] = sameShipment(progress.dispatch, dispatch) ? [] : [{ kind: 'dispatched', dispatch }];
      return { status, progress: { ...progress, dispatch }, notices };
    }
    default:
      return { status, progress, notices: [] };
  }
}

/** True once the parcel was handed to a carrier. Never for type 1, whatever an earlier release took down. */
export function isShipped({ forecastType, progress }: Pick<ForecastRecord, 'forecastType' | 'progress'>): boolean {
  return takesDispatch(forecastType) && progress.dispatch !== null;
}

/** When the tenant cancelled a forecast, in epoch milliseconds; null unless it is cancelled. */
export function cancelledAt({ status, progress }: Pick<ForecastRecord, 'status' | 'progress'>): number | null {
  if (status !== forecastStatuses.CANCELLED) return null;
  return progress.history.find((entry) => entry.status === status)?.at ?? null;
}

/**
 * A forecast after the tenant cancelled it.
 * @throws AppError 40902 when it cannot be cancelled any more
 */
export function cancel(forecast: Pick<ForecastRecord, 'status' | 'progress'>, now: number): Omit<Advance, 'notices'> {
  const status = statusAfterCancel(forecast.status);
  return { status, progress: moved(forecast.progress, forecast.status, status, now, 'cancelled') };
}
