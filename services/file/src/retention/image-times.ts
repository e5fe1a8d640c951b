import { IMAGE_USABLE_DAYS } from '@parcelway/contracts/image-receipt';

const DAY_MS = 86_400_000;

/**
 * From when on an image counts as unused that no forecast has: it can be put on a forecast until then. What is unused is deleted a day later, as a
 * forecast that has it may be on its way.
 * @param now when it was uploaded, or taken from its last forecast; epoch milliseconds
 */
export function imageUnusedSince(now: number): number {
  return now + IMAGE_USABLE_DAYS * DAY_MS;
}
