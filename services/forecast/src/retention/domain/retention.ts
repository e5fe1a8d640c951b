import { fileTokenOf, photoTokenOf } from '@parcelway/contracts/file-receipt';
import { MAX_FILES_IN_EVENT } from '@parcelway/contracts/retention-events';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Correction } from '../../store/domain/correction.ts';
import type { Progress } from '../../store/domain/forecast.ts';
import type { WholeForecast } from '../../store/domain/known-forecast.ts';
import type { ForecastMessage } from '../../store/domain/messages.ts';
import { fileFields } from '../../submission/domain/warnings.ts';

/*
 * When forecasts, and their files, are over. A forecast has ended when it is completed or cancelled; its time counts from the last change after that, so
 * that a late report is kept as long as the rest.
 */

export const DAY_MS = 86_400_000;

/** How long data is kept after a forecast has ended, in milliseconds; undefined for ever. */
export interface Retention {
  readonly forecastMs: number | undefined;
  /** PDFs and photos; never longer than the forecast. */
  readonly fileMs: number | undefined;
}

/** What a tenant has chosen, in days; null: as the installation. */
export interface TenantRetention {
  readonly tenantId: string;
  /** Rises with each change. */
  readonly version: number;
  readonly forecastDays: number | null;
  readonly fileDays: number | null;
}

const chosen = (days: number | null | undefined, otherwise: number | undefined): number | undefined =>
  days === null || days === undefined ? otherwise : days * DAY_MS;

/** The shorter of two times. */
const shorter = (a: number | undefined, b: number | undefined): number | undefined => Math.min(a ?? Infinity, b ?? Infinity);

/** The retention of a tenant. @param tenant undefined when it has chosen nothing */
export function retentionOf(installation: Retention, tenant: TenantRetention | undefined): Retention {
  const forecastMs = chosen(tenant?.forecastDays, installation.forecastMs);
  const fileMs = shorter(chosen(tenant?.fileDays, installation.fileMs), forecastMs);
  return { forecastMs, fileMs: fileMs === Infinity ? undefined : fileMs };
}

/**
 * Whatever ended before this instant is over; undefined when nothing ever is. Days count as whole days of UTC, so all that ended on one day is over at
 * one moment: it is archived in few objects, and a repeat after a crash finds the same forecasts.
 * @param now epoch milliseconds
 */
export function overBefore(now: number, keptMs: number | undefined): number | undefined {
  if (keptMs === undefined) return undefined;
  const before = now - keptMs;
  return keptMs < DAY_MS ? before : before - (before % DAY_MS);
}

/**
 * For how long something has been over, in milliseconds: since the end of its day of UTC and the time that it is kept, as {@link overBefore} counts.
 * @param endedAt epoch milliseconds, before the instant of overBefore
 */
export function overdueFor(now: number, endedAt: number, keptMs: number): number {
  const from = keptMs < DAY_MS ? endedAt : endedAt - (endedAt % DAY_MS) + DAY_MS;
  return now - from - keptMs;
}

/** Items of a batch, of which each is at most some kilobytes. A forecast has at most half as many. */
const MAX_ITEMS = 4000;

/** The first forecasts that are processed together: at least one, and no more items than memory and an object are meant for. */
export function batchOf<F extends { readonly value: { readonly itemCount: number } }>(forecasts: readonly F[]): readonly F[] {
  let items = 0;
  const end = forecasts.findIndex(({ value }, index) => {
    items += value.itemCount;
    return index > 0 && items > MAX_ITEMS;
  });
  return end === -1 ? forecasts : forecasts.slice(0, end);
}

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
  return unique(photos.map(({ image_url }) => photoTokenOf(image_url)));
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
