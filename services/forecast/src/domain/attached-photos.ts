import { createHash } from 'node:crypto';
import type { AttachedPhoto } from './forecast.ts';
import { placed } from './kept-list.ts';

const orderedBefore = (a: AttachedPhoto, b: AttachedPhoto): boolean =>
  a.imageOrder < b.imageOrder || (a.imageOrder === b.imageOrder && a.id < b.id);

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

/** The photos of a forecast with one more, by order and id; the list as it was when it has that image. */
export function withAttachedPhoto(known: readonly AttachedPhoto[], photo: AttachedPhoto): readonly AttachedPhoto[] {
  if (known.some((image) => sameImage(image, photo))) return known;
  return placed(known, { ...photo, id: imageId(photo, known) }, orderedBefore);
}
