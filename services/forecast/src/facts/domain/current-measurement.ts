import type { Measurement, Progress, WeighingPhoto } from '../../store/domain/forecast.ts';
import { placed } from '../../store/domain/kept-list.ts';

const weighedLater = (a: Measurement, b: Measurement): boolean => a.weighedAtMs > b.weighedAtMs;
const uploadedLater = (a: WeighingPhoto, b: WeighingPhoto): boolean =>
  a.uploadTimeMs > b.uploadTimeMs || (a.uploadTimeMs === b.uploadTimeMs && a.id > b.id);

/**
 * The progress after a weighing. The current measurement is the one weighed last, whichever report comes in last; of two at the same
 * instant it is the later report. Photos are sorted by upload, latest first; a photo that is known is replaced.
 */
export function withWeighing(progress: Progress, measurement: Measurement, photos: readonly WeighingPhoto[]): Progress {
  let weighingPhotos = progress.weighingPhotos;
  for (const photo of photos) {
    const others = weighingPhotos.filter((known) => known.id !== photo.id);
    weighingPhotos = placed(others, photo, uploadedLater);
  }
  return { ...progress, weighingPhotos, measurements: placed(progress.measurements, measurement, weighedLater) };
}
