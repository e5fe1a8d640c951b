import { createHash } from 'node:crypto';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { ForecastCondition, ForecastRecord } from './forecast.ts';
import { numberTerm, skuTerm } from './search-terms.ts';

/** Which forecasts of a tenant are wanted: those that meet all of these. Instants are epoch milliseconds. */
export interface ListFilters {
  readonly forecastNo?: string;
  readonly poNumber?: string;
  /** Of an item, or of a dispatch; normalised. */
  readonly trackingNumber?: string;
  readonly skuCode?: string;
  /** Of the po_number. */
  readonly poPrefix?: string;
  readonly warehouseCode?: string;
  readonly status?: ForecastStatus;
  /** With an exception, or without. */
  readonly hasException?: boolean;
  readonly onHold?: boolean;
  /** Accepted at or after. */
  readonly createdFrom?: number;
  /** Accepted before. */
  readonly createdTo?: number;
  /** Last changed at or after. */
  readonly updatedFrom?: number;
  /** Last changed before. */
  readonly updatedTo?: number;
}

export interface FilteredForecast
  extends ForecastCondition,
    Pick<ForecastRecord, 'forecastNo' | 'poNumber' | 'warehouseCode' | 'status' | 'createdAt' | 'updatedAt'> {
  /** Needed by filters that want terms, see {@link termsWanted}. */
  readonly terms?: readonly string[];
}

/** The terms that a forecast must have because of the filters. Those of the warehouse and of the condition are not among them: each forecast has them in fields. */
export function termsWanted({ trackingNumber, skuCode }: ListFilters): readonly string[] {
  return [...(trackingNumber === undefined ? [] : [numberTerm(trackingNumber)]), ...(skuCode === undefined ? [] : [skuTerm(skuCode)])];
}

const equals = <T>(wanted: T | undefined, value: T): boolean => wanted === undefined || wanted === value;

const isWithin = (from: number | undefined, to: number | undefined, at: number): boolean =>
  (from === undefined || at >= from) && (to === undefined || at < to);

/** True when a forecast meets all filters. */
export function matches(filters: ListFilters, forecast: FilteredForecast): boolean {
  return (
    equals(filters.forecastNo, forecast.forecastNo) &&
    equals(filters.poNumber, forecast.poNumber) &&
    forecast.poNumber.startsWith(filters.poPrefix ?? '') &&
    equals(filters.warehouseCode, forecast.warehouseCode) &&
    equals(filters.status, forecast.status) &&
    equals(filters.hasException, forecast.hasException) &&
    equals(filters.onHold, forecast.onHold) &&
    isWithin(filters.createdFrom, filters.createdTo, forecast.createdAt) &&
    isWithin(filters.updatedFrom, filters.updatedTo, forecast.updatedAt) &&
    termsWanted(filters).every((term) => forecast.terms?.includes(term))
  );
}

/** Names a set of filters in 11 characters of base64url: another set has another name. */
export function nameOfFilters(filters: ListFilters): string {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 11);
}
