import { createHash } from 'node:crypto';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ForecastCondition, ForecastRecord } from './forecast.ts';
import { EXCEPTION_TERM, HOLD_TERM, numberTerm, skuTerm, warehouseTerm } from './search-terms.ts';

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

const EQUAL = ['forecastNo', 'poNumber', 'warehouseCode', 'status', 'hasException', 'onHold'] as const;

const isWithin = (from: number | undefined, to: number | undefined, at: number): boolean =>
  (from === undefined || at >= from) && (to === undefined || at < to);

/** True when a forecast meets all filters. */
export function matches(filters: ListFilters, forecast: FilteredForecast): boolean {
  return (
    EQUAL.every((field) => filters[field] === undefined || filters[field] === forecast[field]) &&
    forecast.poNumber.startsWith(filters.poPrefix ?? '') &&
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

/**
 * The forecasts that a list reads one after the other: those of an index of the collection with some values, within a range of its next field; or one by its
 * number. Lists are in the order of acceptance, newest first; of the last change, latest first (`changed`); or of po_numbers (`po`), those of one po_number
 * newest first. Forecasts of one instant come in the order of their ids, the highest first.
 */
export type Walk =
  | {
      readonly by: 'newest' | 'status' | 'term' | 'changed' | 'po';
      /** Values of the fields behind the tenant. */
      readonly eq: readonly (string | number)[];
      readonly from?: string | number | undefined;
      readonly to?: string | number | undefined;
    }
  | { readonly by: 'forecast_no'; readonly forecastNo: string };

export interface ListPlan {
  readonly walk: Walk;
  /** What the walk does not see to: each forecast that it reads is held against these. */
  readonly remaining: ListFilters;
}

/**
 * True of statuses that few forecasts have: parcels are on their way for days, and completed for ever. So a list of them is read by the status, also
 * when it names a warehouse; a list of the others by the warehouse.
 */
const isPassing = (status: ForecastStatus): boolean => status < forecastStatuses.COMPLETED;

/** The term by which a list in the order of acceptance is read, and the filter that it stands for; undefined when none leads to few forecasts. */
function termOf({ trackingNumber, skuCode, hasException, onHold, warehouseCode, status }: ListFilters) {
  if (trackingNumber !== undefined) return { field: 'trackingNumber', term: numberTerm(trackingNumber) } as const;
  if (skuCode !== undefined) return { field: 'skuCode', term: skuTerm(skuCode) } as const;
  if (onHold === true) return { field: 'onHold', term: HOLD_TERM } as const;
  if (hasException === true) return { field: 'hasException', term: EXCEPTION_TERM } as const;
  if (warehouseCode === undefined || (status !== undefined && isPassing(status))) return undefined;
  return { field: 'warehouseCode', term: warehouseTerm(warehouseCode) } as const;
}

/**
 * Chooses the one index that a list is read from: that which leads to the fewest forecasts, as far as the filters show it. An index is never joined
 * with another one: what a page costs depends on how many forecasts it may look at, not on how many there are. The order follows from the filters alone, so
 * that it stays the same from page to page.
 */
export function planOf(filters: ListFilters): ListPlan {
  const { forecastNo, poNumber, trackingNumber, skuCode, poPrefix, status, createdFrom, createdTo, updatedFrom, updatedTo } = filters;
  const plan = (walk: Walk, ...walked: readonly (keyof ListFilters)[]): ListPlan => {
    const remaining = Object.entries(filters).filter(([name]) => !walked.includes(name as keyof ListFilters));
    return { walk, remaining: Object.fromEntries(remaining) as ListFilters };
  };
  if (forecastNo !== undefined) return plan({ by: 'forecast_no', forecastNo }, 'forecastNo');
  if (poNumber !== undefined) return plan({ by: 'po', eq: [poNumber] }, 'poNumber');
  if (trackingNumber === undefined && skuCode === undefined) {
    if (poPrefix !== undefined) return plan({ by: 'po', eq: [], from: poPrefix, to: behindPrefix(poPrefix) }, 'poPrefix');
    if (updatedFrom !== undefined || updatedTo !== undefined)
      return plan({ by: 'changed', eq: [], from: updatedFrom, to: updatedTo }, 'updatedFrom', 'updatedTo');
  }
  const range = { from: createdFrom, to: createdTo };
  const found = termOf(filters);
  if (found !== undefined) return plan({ by: 'term', eq: [found.term], ...range }, found.field, 'createdFrom', 'createdTo');
  if (status !== undefined) return plan({ by: 'status', eq: [status], ...range }, 'status', 'createdFrom', 'createdTo');
  return plan({ by: 'newest', eq: [], ...range }, 'createdFrom', 'createdTo');
}

const LAST = 0x10ffff;
/** Surrogates stand for no character: the one after the last before them is the first behind them. */
const SURROGATES = { first: 0xd800, last: 0xdfff } as const;

/**
 * The first text behind all that begin with a prefix, in the order of code points: that of both stores, which compare UTF-8 bytes.
 * @param prefix without unpaired surrogates
 * @returns undefined when there is none: the prefix is empty or made of the last code point
 */
export function behindPrefix(prefix: string): string | undefined {
  const points = [...prefix].map((character) => character.codePointAt(0) as number);
  while (points.at(-1) === LAST) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === SURROGATES.first ? SURROGATES.last + 1 : last + 1;
  return String.fromCodePoint(...points, next);
}

/*
 * A place in a list with some filters as a text: of Latin-1 characters, {@link MAX_PLACE} at most, the last of which is no blank.
 */

/** What a sealed cursor has room for. */
export const MAX_PLACE = 320;

const BEGINNING = /^1\.([\w-]{11})\./;

export function textOfPlace(filters: ListFilters, place: string): string {
  return `1.${nameOfFilters(filters)}.${Buffer.from(place, 'base64url').toString('latin1')}`;
}

/** False for a text that is no place, whatever the filters. */
export function mayBePlace(text: string): boolean {
  return BEGINNING.test(text);
}

/** The place in a text; undefined when {@link textOfPlace} made it for other filters. */
export function placeInText(filters: ListFilters, text: string): string | undefined {
  const [beginning, name] = BEGINNING.exec(text) ?? [];
  if (beginning === undefined || name !== nameOfFilters(filters)) return undefined;
  return Buffer.from(text.slice(beginning.length), 'latin1').toString('base64url');
}
