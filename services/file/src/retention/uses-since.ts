const DAY_MS = 86_400_000;

/**
 * From when on uploads count as known by their uses. In a new installation all do. In another, those of the next day do not yet: processes of the
 * former version, which note no uses, may still run beside this one.
 * @param now the first start of a version that notes uses, epoch milliseconds
 */
export function usesKnownFrom(now: number, hasFiles: boolean): number {
  return hasFiles ? now + DAY_MS : 0;
}
