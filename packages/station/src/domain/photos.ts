import { type Bench, moved, type Step, said } from './bench.ts';
import { type BenchPhoto, MAX_PHOTOS } from './report.ts';

/** A photo that was taken: of the parcel on the bench, unless that has gone meanwhile. */
export function onPhoto(bench: Bench, photo: BenchPhoto): Step {
  const { flow } = bench;
  // The parcel has left the bench meanwhile: the photo cannot be assigned any more.
  if (flow.at !== 'parcel') return { bench, effects: [{ do: 'drop-photos', photos: [photo] }] };
  if (flow.photos.length >= MAX_PHOTOS) return { ...said(bench, 'tooManyPhotos'), effects: [{ do: 'drop-photos', photos: [photo] }] };
  return { bench: moved(bench, { ...flow, photos: [...flow.photos, photo] }), effects: [] };
}

/** A photo that is not wanted. */
export function onPhotoDropped(bench: Bench, photo: BenchPhoto): Step {
  const { flow } = bench;
  if (flow.at !== 'parcel') return { bench, effects: [] };
  const photos = flow.photos.filter(({ id }) => id !== photo.id);
  return { bench: moved(bench, { ...flow, photos }), effects: [{ do: 'drop-photos', photos: [photo] }] };
}
