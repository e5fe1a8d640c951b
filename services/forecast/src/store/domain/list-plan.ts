import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ListFilters } from './list-filters.ts';
import { EXCEPTION_TERM, HOLD_TERM, numberTerm, skuTerm, warehouseTerm } from './search-terms.ts';

/**
 * The order of a list: by acceptance, newest first; by the last change, latest first; or by po_number, those of one po_number newest first.
 * Forecasts of one instant come in the order of their ids, the highest first.
 */
export type ListOrder = 'created' | 'changed' | 'po_number';

/** The forecasts of an index that a list reads one after the other, within a range of the instants that the index is ordered by. */
export type Walk =
  | ((
      | { readonly by: 'all' | 'change' }
      | { readonly by: 'status'; readonly status: ForecastStatus }
      | { readonly by: 'term'; readonly term: string }
    ) & { readonly from?: number | undefined; readonly to?: number | undefined })
  | { readonly by: 'forecast_no'; readonly forecastNo: string }
  | { readonly by: 'po_number'; readonly poNumber: string }
  | { readonly by: 'po_prefix'; readonly prefix: string };

export interface ListPlan {
  readonly walk: Walk;
  /** What the walk does not see to: each forecast that it reads is held against these. */
  readonly remaining: ListFilters;
}

/** The order of a list. It follows from the filters alone, so that it stays the same from page to page. */
export function orderOf({ forecastNo, poNumber, trackingNumber, skuCode, poPrefix, updatedFrom, updatedTo }: ListFilters): ListOrder {
  if ([forecastNo, poNumber, trackingNumber, skuCode].some((value) => value !== undefined)) return 'created';
  if (poPrefix !== undefined) return 'po_number';
  return updatedFrom === undefined && updatedTo === undefined ? 'created' : 'changed';
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

/** The index of acceptances that a list in their order is read from, and the filters that it leaves. */
function walkByAcceptance(filters: ListFilters): ListPlan {
  const { createdFrom: from, createdTo: to, ...others } = filters;
  const range = { from, to };
  const found = termOf(filters);
  if (found !== undefined) {
    const { [found.field]: _, ...remaining } = others;
    return { walk: { by: 'term', term: found.term, ...range }, remaining };
  }
  const { status, ...remaining } = others;
  if (status !== undefined) return { walk: { by: 'status', status, ...range }, remaining };
  return { walk: { by: 'all', ...range }, remaining };
}

/**
 * Chooses the one index that a list is read from: that which leads to the fewest forecasts, as far as the filters show it. An index is never joined
 * with another one: what a page costs depends on how many forecasts it may look at, not on how many there are.
 */
export function planOf(filters: ListFilters): ListPlan {
  const { forecastNo, ...withoutNo } = filters;
  if (forecastNo !== undefined) return { walk: { by: 'forecast_no', forecastNo }, remaining: withoutNo };
  const { poNumber, ...withoutPo } = filters;
  if (poNumber !== undefined) return { walk: { by: 'po_number', poNumber }, remaining: withoutPo };
  const order = orderOf(filters);
  if (order === 'po_number') {
    const { poPrefix: prefix = '', ...remaining } = filters;
    return { walk: { by: 'po_prefix', prefix }, remaining };
  }
  if (order === 'changed') {
    const { updatedFrom, updatedTo, ...remaining } = filters;
    return { walk: { by: 'change', from: updatedFrom, to: updatedTo }, remaining };
  }
  return walkByAcceptance(filters);
}

/** True when every forecast of the walk is wanted. */
export function isExact({ remaining }: ListPlan): boolean {
  return Object.values(remaining).every((value) => value === undefined);
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
