import type { ForecastRecord } from '../../store/domain/forecast.ts';
import { holdsPoNumber } from '../../store/domain/held-numbers.ts';

/** At most so many paths or numbers are listed in a refusal. */
export const MAX_LISTED = 100;

/**
 * The forecast that a submission repeats: the one that holds its po_number, if its content is the same.
 * @param holder undefined when no forecast has the po_number
 */
export function repeatedForecast(holder: ForecastRecord | undefined, contentHash: string): ForecastRecord | undefined {
  return holder && holdsPoNumber(holder.status) && holder.contentHash === contentHash ? holder : undefined;
}
