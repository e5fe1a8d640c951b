import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ForecastRecord } from './domain/forecast.ts';
import { releasesOf } from './domain/held-numbers.ts';
import type { AppliedMark, ForecastWrite } from './domain/known-forecast.ts';
import { conditionOf } from './domain/search-terms.ts';
import type { ForecastDocument } from './forecast-collection.ts';
import type { NewForecast } from './ports.ts';

/**
 * The ids of so many events are remembered of a forecast, the latest. Far above what happens to any parcel, and it keeps a warehouse that reports
 * without end from filling the document.
 */
export const MAX_APPLIED = 5000;

/** Of so many scans the numbers are kept. */
const MAX_SCANNED = 500;

/** `turn` of the one forecast that holds its po_number: before all others. */
export const HOLDS = Number.MIN_SAFE_INTEGER;

/** `turn` of a forecast that has released its po_number: behind those that were accepted later. No two of one po_number are accepted at one instant. */
const releasedTurn = ({ createdAt, forecastId }: Pick<ForecastRecord, 'createdAt' | 'forecastId'>): number =>
  -(createdAt * 1000 + (forecastId % 1000));

/** A stored forecast of which the progress was read. */
export const recordOf = (value: ForecastDocument): ForecastRecord => value as ForecastRecord;

/** A forecast that was accepted, as it is stored. */
export function documentOf({ claims, terms, ...forecast }: NewForecast): ForecastDocument {
  return {
    ...forecast,
    turn: HOLDS,
    contentVersion: 1,
    ...conditionOf(forecast.progress),
    terms: [...terms],
    ...(claims.length > 0 && { claims: [...claims] }),
  };
}

/** What a write changes of a stored forecast. */
export function changeOf(write: ForecastWrite<unknown>): Partial<ForecastDocument> {
  const { known, state, content, terms, receivedItems, applied, scanned = [], updatedAt } = write;
  const before: ForecastDocument = known.record as ForecastDocument;
  const { claims = null, ...contentFields } = content ?? {};
  const status = state?.status ?? before.status;
  const hasEnded = status >= forecastStatuses.COMPLETED;
  const released = releasesOf(before, status);
  const marks = applied.map((event): AppliedMark => ({ ...event, at: updatedAt }));
  return {
    updatedAt,
    // A change that leaves its instant as it is, such as of an image, lets no files expire again.
    ...(hasEnded && before.endedAt !== updatedAt && { endedAt: updatedAt, filesSince: updatedAt }),
    ...(state && { ...state, ...conditionOf(state.progress) }),
    ...contentFields,
    ...(terms && { terms: [...terms] }),
    ...(receivedItems && { receivedItems }),
    ...(claims !== null && claims.length > 0 && { claims: [...claims] }),
    ...((released.claims || claims?.length === 0) && { claims: undefined }),
    ...(released.poNumber && { turn: releasedTurn(before) }),
    ...(marks.length > 0 && { applied: [...(before.applied ?? []), ...marks].slice(-MAX_APPLIED) }),
    ...(scanned.length > 0 && { scanned: [...new Set([...(before.scanned ?? []), ...scanned])].slice(-MAX_SCANNED) }),
  } as Partial<ForecastDocument>;
}
