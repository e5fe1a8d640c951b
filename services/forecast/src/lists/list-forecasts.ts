import { setImmediate as otherWork } from 'node:timers/promises';
import type { ForecastExportQuery } from '@parcelway/contracts/forecast-api';
import { type ForecastStatus, type ForecastStatusName, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { mayBePoNumber } from '@parcelway/contracts/po-number';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { type ListFilters, type ListPlan, matches, planOf, termsWanted } from '../store/domain/list-plan.ts';
import type { ForecastLister } from '../store/forecast-store.ts';
import type { ListedForecast, ListQuery } from '../store/ports.ts';

/** Forecasts that one page looks at, at most: what a page costs is bounded by it, however few of them meet the filters. */
export const MAX_EXAMINED = 2000;
/** Forecasts that are read at once: a few milliseconds of work. */
const MAX_READ = 500;
/** A page that is not full reads so many times more at once than before. */
const GROWTH = 4;

function statusOf(text: string): ForecastStatus {
  return forecastStatuses[text as ForecastStatusName] ?? (Number(text) as ForecastStatus);
}

const flagOf = (text: string | undefined): boolean | undefined => (text === undefined ? undefined : text === 'true');

const instantOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

/** The filters of a valid query, without those that it does not have. */
export function filtersOf(query: ForecastExportQuery): ListFilters {
  const filters: { readonly [F in keyof ListFilters]: ListFilters[F] | undefined } = {
    forecastNo: query.forecast_no,
    poNumber: query.po_number,
    trackingNumber: query.tracking_number === undefined ? undefined : normaliseTrackingNumber(query.tracking_number),
    skuCode: query.sku_code,
    poPrefix: query.q,
    warehouseCode: query.warehouse_code,
    status: query.status === undefined ? undefined : statusOf(query.status),
    hasException: flagOf(query.has_exception),
    onHold: flagOf(query.on_hold),
    createdFrom: instantOf(query.created_from),
    createdTo: instantOf(query.created_to),
    updatedFrom: instantOf(query.updated_from),
    updatedTo: instantOf(query.updated_to),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as ListFilters;
}

/** A list as it is read: its plan, and what is read of each forecast besides. */
export interface PlannedList {
  readonly plan: ListPlan;
  readonly with: NonNullable<ListQuery['with']>;
}

/** Plans a list. @param fields to be read as well @returns undefined when no forecast can meet the filters */
export function planList(filters: ListFilters, ...fields: NonNullable<ListQuery['with']>): PlannedList | undefined {
  if (filters.poNumber !== undefined && !mayBePoNumber(filters.poNumber)) return undefined;
  const plan = planOf(filters);
  return { plan, with: termsWanted(plan.remaining).length > 0 ? [...fields, 'terms'] : fields };
}

export interface Page {
  readonly forecasts: readonly ListedForecast[];
  /** The forecast behind which the next page begins; null on the last page. */
  readonly next: ListedForecast | null;
}

/**
 * A page of a tenant's forecasts. It is full unless the list ends, or {@link MAX_EXAMINED} forecasts have been looked at.
 * @param after place behind the page before; undefined to begin
 * @throws AppError 50301 when the store is out
 */
export async function listForecasts(
  store: ForecastLister,
  tenantId: string,
  list: PlannedList,
  limit: number,
  after: string | undefined,
): Promise<Page> {
  const { plan, with: fields } = list;
  const isExact = Object.keys(plan.remaining).length === 0;
  const found: ListedForecast[] = [];
  let at: ListedForecast | undefined;
  let examined = 0;
  for (let size = 0; ; ) {
    // One more than is missing shows whether a page follows.
    const missing = limit + 1 - found.length;
    size = Math.min(isExact ? missing : Math.max(missing, Math.min(MAX_READ, size * GROWTH)), MAX_EXAMINED - examined);
    const place = at === undefined ? after : store.placeBehind(plan.walk, at);
    const read = await store.list(tenantId, { walk: plan.walk, after: place, limit: size, with: fields });
    for (const forecast of read) {
      const isMet = matches(plan.remaining, forecast);
      if (isMet && found.length === limit) return { forecasts: found, next: at ?? null };
      if (isMet) found.push(forecast);
      at = forecast;
      examined += 1;
    }
    if (read.length < size) return { forecasts: found, next: null };
    if (examined >= MAX_EXAMINED) return { forecasts: found, next: at ?? null };
    // A store in this process has kept the others waiting.
    await otherWork();
  }
}
