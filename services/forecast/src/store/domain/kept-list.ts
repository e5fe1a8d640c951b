/** So many measurements and photos are kept of a forecast, the first of each list: a bound, far above any real parcel. */
export const MAX_KEPT = 1000;

/** As {@link MAX_KEPT}, of what carries texts or photos of its own. */
export const MAX_KEPT_LARGE = 100;

/**
 * A sorted list with one more element: before the first one that does not come strictly before it.
 * @param max so many are kept, the first ones
 */
export function placed<T>(list: readonly T[], element: T, comesBefore: (a: T, b: T) => boolean, max = MAX_KEPT): T[] {
  const index = list.findIndex((other) => !comesBefore(other, element));
  const at = index === -1 ? list.length : index;
  return [...list.slice(0, at), element, ...list.slice(at)].slice(0, max);
}
