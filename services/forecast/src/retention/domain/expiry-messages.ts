import { fileTokenOf, photoTokenOf } from '@parcelway/contracts/file-receipt';
import { MAX_FILES_IN_EVENT } from '@parcelway/contracts/retention-events';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Correction } from '../../store/domain/correction.ts';
import type { Progress } from '../../store/domain/forecast.ts';
import type { WholeForecast } from '../../store/domain/known-forecast.ts';
import type { ForecastMessage } from '../../store/domain/messages.ts';
import { fileFields } from '../../submission/domain/file-warnings.ts';

const unique = (tokens: readonly (string | undefined)[]): string[] =>
  [...new Set(tokens.filter((token) => token !== undefined))].slice(0, MAX_FILES_IN_EVENT);

/** Values of the file fields before and after a correction. */
const formerFiles = ({ changes }: Correction): readonly (string | null)[] =>
  changes.filter(({ field }) => fileFields.some((one) => one === field)).flatMap(({ from, to }) => [from, to]);

/** The uploaded PDFs that a forecast names, or named before a correction, by their tokens. */
function filesOf({ content, corrections }: WholeForecast): string[] {
  const urls = [...fileFields.map((field) => content[field] ?? null), ...corrections.flatMap(formerFiles)];
  return unique(urls.map((url) => (url === null ? undefined : fileTokenOf(url))));
}

/** The photos that a warehouse reported of a forecast, by their tokens. */
function photosOf({ weighingPhotos, attachedPhotos, exceptions = [] }: Progress): string[] {
  const photos = [...weighingPhotos, ...attachedPhotos, ...exceptions.flatMap((exception) => exception.photos)];
  return unique(photos.map(({ url }) => photoTokenOf(url)));
}

/**
 * The message that the retention of a forecast, or of its files, has ended.
 * @param now epoch milliseconds
 */
export function expiryMessage(
  type: 'forecast.expired' | 'forecast.files_expired',
  forecast: WholeForecast,
  now: number,
): ForecastMessage<'forecast.expired' | 'forecast.files_expired'> {
  const { forecastNo, poNumber, progress } = forecast.record;
  const data = {
    forecast_no: forecastNo,
    po_number: poNumber,
    expired_at: isoInstant(now),
    files: filesOf(forecast),
    photos: photosOf(progress),
  };
  return { type, time: now, data };
}
