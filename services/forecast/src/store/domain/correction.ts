import { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import { forecastStatuses, forecastStatusName } from '@parcelway/contracts/forecast-status';
import type { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { AppError } from '@parcelway/kernel/app-error';
import { type CanonicalForecast, canonicalForecast, defined, differences, type FieldDifference } from './canonical.ts';
import type { ForecastRecord } from './forecast.ts';

/** The part of a forecast that decides which fields can be corrected. */
type CorrectableState = Pick<ForecastRecord, 'status'>;

/** The fields that can change while the parcel is at the warehouse, which uses them only when it leaves. */
const FILES: ReadonlySet<string> = new Set(['shipping_label', 'shipping_note']);

const { ACCEPTED, SHIPPED } = forecastStatuses;

/** True when a field can be corrected. Before the parcel arrives, all can. Until it leaves the warehouse or is put away, only its files can. */
function isCorrectable(field: string, { status }: CorrectableState): boolean {
  if (status === ACCEPTED) return true;
  return FILES.has(field) && status < SHIPPED;
}

/** The most changes that are kept of a correction. */
export const MAX_CHANGES = 100;
/** The most bytes of their JSON: 100 long URLs, written twice, are more. */
export const MAX_CHANGES_BYTES = 65_536;
/** The most corrections that are kept of a forecast: the latest ones. */
export const MAX_CORRECTIONS = 100;
/** The most bytes of their JSON. All of it is read and written with each correction. */
export const MAX_CORRECTIONS_BYTES = 262_144;

/** A correction, kept for those who ask what was changed, when and by whom. */
export interface Correction {
  /** The version that it made. */
  readonly version: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Id of the API key; null when a report of the warehouse made it. */
  readonly keyId: string | null;
  readonly changes: readonly FieldDifference[];
  /** True when more was changed than is kept. */
  readonly hasMoreChanges: boolean;
  /** Names the request: what all its attempts share; null without an idempotency key. */
  readonly request: string | null;
}

const correctableFields = Object.keys(ForecastCorrection.properties) as (keyof ForecastCorrection)[];

/** The canonical form with what a correction names in place of what was there; null removes. */
function corrected(content: CanonicalForecast, correction: ForecastCorrection): CanonicalForecast {
  const merged = { ...content, ...defined(correction, correctableFields) };
  return canonicalForecast(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as ForecastSubmission);
}

/** A forecast's content after a correction, and in what it differs. */
export interface Corrected {
  readonly content: CanonicalForecast;
  /** At most {@link MAX_CHANGES} and one more, which shows that there are more. Empty when the correction changes nothing. */
  readonly changes: readonly FieldDifference[];
}

/**
 * What a correction makes of a forecast. One that changes nothing is allowed in every status.
 * @param refusal thrown when the correction changes anything: why its values are refused
 * @throws AppError the refusal; 40902 with the status, when what the correction changes can no longer be changed
 */
export function correct(
  forecast: CorrectableState,
  content: CanonicalForecast,
  correction: ForecastCorrection,
  refusal?: AppError,
): Corrected {
  const after = corrected(content, correction);
  const changes = differences(content, after, MAX_CHANGES + 1);
  if (refusal !== undefined && changes.length > 0) throw refusal;
  const refused = changes.find(({ field }) => !isCorrectable(field, forecast));
  if (refused === undefined) return { content: after, changes };
  const name = forecastStatusName(forecast.status);
  const still = isCorrectable('shipping_label', forecast) ? '; only shipping_label and shipping_note can' : '';
  const message = `The forecast is ${name} and ${refused.field} can no longer be corrected${still}`;
  throw new AppError('40902', message, { data: { status: forecast.status, status_name: name } });
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The first of the changes, as many as are kept. */
function keptChanges(changes: readonly FieldDifference[]): FieldDifference[] {
  const kept: FieldDifference[] = [];
  let bytes = 0;
  for (const change of changes.slice(0, MAX_CHANGES)) {
    bytes += bytesOf(change);
    if (bytes > MAX_CHANGES_BYTES) break;
    kept.push(change);
  }
  return kept;
}

/** The corrections of a forecast with a further one, without the oldest when they become too many or too large. */
export function withCorrection(
  corrections: readonly Correction[],
  made: Omit<Correction, 'changes' | 'hasMoreChanges'>,
  changes: readonly FieldDifference[],
): Correction[] {
  const kept = keptChanges(changes);
  const all = [...corrections, { ...made, changes: kept, hasMoreChanges: kept.length < changes.length }].slice(-MAX_CORRECTIONS);
  let bytes = bytesOf(all);
  while (bytes > MAX_CORRECTIONS_BYTES) bytes -= bytesOf(all.shift()) + 1;
  return all;
}
