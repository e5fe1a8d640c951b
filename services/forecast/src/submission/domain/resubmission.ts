import { AppError } from '@parcelway/kernel/app-error';
import { type CanonicalForecast, differences } from '../../store/domain/canonical.ts';
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

/**
 * Lets a submission pass as a repeat when its content is that of the forecast that holds its po_number.
 * @param stored the content of the holder; undefined when it cannot be read any more
 * @throws AppError 40901 with the fields that differ
 */
export function assertSameContent(
  { forecastNo }: Pick<ForecastRecord, 'forecastNo'>,
  stored: CanonicalForecast | undefined,
  submitted: CanonicalForecast,
): void {
  const different = stored === undefined ? [] : differences(stored, submitted, MAX_LISTED);
  if (stored !== undefined && different.length === 0) return;
  throw new AppError('40901', undefined, { data: { forecast_no: forecastNo, fields: different.map(({ field }) => field) } });
}
