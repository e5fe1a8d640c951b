import { createHash } from 'node:crypto';
import type { AttachedPhoto } from '../../store/domain/forecast.ts';
import { placed } from '../../store/domain/kept-list.ts';

const orderedBefore = (a: AttachedPhoto, b: AttachedPhoto): boolean =>
  a.image_order < b.image_order || (a.image_order === b.image_order && a.id < b.id);

/** The same photo, shown as the same. Its storage key names the photo: the id of an image may be its own (see imageId). */
function sameImage(a: AttachedPhoto, b: AttachedPhoto): boolean {
  return a.image_path === b.image_path && a.image_type === b.image_type && a.image_order === b.image_order;
}

/**
 * Id of an image, unique within the forecast: the photo's, unless another image has it. One photo with two types or orders
 * is two images; the id of the second comes from what makes it another, so that it does not depend on a counter.
 */
function imageId(photo: AttachedPhoto, known: readonly AttachedPhoto[]): number {
  const taken = new Set(known.map(({ id }) => id));
  if (!taken.has(photo.id)) return photo.id;
  const digest = createHash('sha256')
    .update(JSON.stringify([photo.image_path, photo.image_type, photo.image_order]))
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

/** True of an image that the tenant has put there. */
export const isOwnImage = ({ source }: AttachedPhoto): boolean => source === 'tenant';

/** The tenant's own image of a photo, by its storage key. */
export function ownImage(known: readonly AttachedPhoto[], path: string): AttachedPhoto | undefined {
  return known.find((image) => isOwnImage(image) && image.image_path === path);
}

/**
 * The images of a forecast with one more of the tenant. One photo is one image of the tenant: it keeps its id, and gets another type and order.
 * @returns the list as it was when it has exactly this image
 */
export function withOwnImage(known: readonly AttachedPhoto[], photo: Omit<AttachedPhoto, 'source'>): readonly AttachedPhoto[] {
  const before = ownImage(known, photo.image_path);
  if (before?.image_type === photo.image_type && before.image_order === photo.image_order) return known;
  const others = known.filter((image) => image !== before);
  const id = before?.id ?? imageId(photo, known);
  return placed(others, { ...photo, id, source: 'tenant' }, orderedBefore);
}

/** The images of a forecast without one of the tenant; the list as it was when the tenant has none with this id. */
export function withoutOwnImage(known: readonly AttachedPhoto[], id: number): readonly AttachedPhoto[] {
  return known.some((image) => isOwnImage(image) && image.id === id) ? known.filter((image) => image.id !== id) : known;
}
