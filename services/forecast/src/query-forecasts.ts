import { type ForecastListQuery, mayBePoNumber } from '@parcelway/contracts/forecast-api';
import { type ForecastStatus, type ForecastStatusName, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';
import type { CanonicalForecast } from './domain/canonical.ts';
import type { ForecastRecord } from './domain/forecast.ts';
import type { ListPosition } from './domain/list-cursor.ts';
import type { ForecastLister, ForecastReader, ListedForecast, ListQuery } from './ports.ts';

const DEFAULT_LIMIT = 20;

/** A page of the list. */
export interface Page {
  readonly forecasts: readonly ListedForecast[];
  /** Where the next page begins; null on the last page. */
  readonly next: ListPosition | null;
}

/** A forecast together with what was submitted. */
export interface WholeForecast {
  readonly record: ForecastRecord;
  readonly content: CanonicalForecast;
}

function statusOf(text: string): ForecastStatus {
  return forecastStatuses[text as ForecastStatusName] ?? (Number(text) as ForecastStatus);
}

/** The list query in the store's terms, for one more row than asked for: it tells whether a page follows. */
function listQueryOf(query: ForecastListQuery, after: ListPosition | undefined, limit: number): ListQuery {
  return {
    ...(query.status !== undefined && { status: statusOf(query.status) }),
    ...(query.po_number !== undefined && { poNumber: query.po_number }),
    ...(query.created_from !== undefined && { createdFrom: Date.parse(query.created_from) }),
    ...(query.created_to !== undefined && { createdTo: Date.parse(query.created_to) }),
    ...(after !== undefined && { after }),
    limit: limit + 1,
  };
}

/**
 * A page of a tenant's forecasts, newest first.
 * @param after position in the query's cursor; undefined to begin with the newest
 * @throws AppError 42201 on a time that does not exist
 */
export async function listForecasts(
  store: ForecastLister,
  tenantId: string,
  query: ForecastListQuery,
  after: ListPosition | undefined,
): Promise<Page> {
  if (query.po_number !== undefined && !mayBePoNumber(query.po_number)) return { forecasts: [], next: null };
  const limit = Number(query.limit ?? DEFAULT_LIMIT);
  const rows = await store.list(tenantId, listQueryOf(query, after, limit));
  const forecasts = rows.slice(0, limit);
  const last = forecasts.at(-1);
  return { forecasts, next: rows.length > limit && last ? last : null };
}

/**
 * The forecast of a po_number: the live one, else the newest cancelled one.
 * @param poNumber any text; what is no po_number finds nothing
 * @throws AppError 40401 when the tenant has none
 */
export async function findForecast(store: ForecastReader, tenantId: string, poNumber: string): Promise<ForecastRecord> {
  const record = mayBePoNumber(poNumber) ? await store.findByPoNumber(tenantId, poNumber) : undefined;
  if (!record) throw new AppError('40401');
  return record;
}

/**
 * As {@link findForecast}, with the content.
 * @throws AppError 40401 when the tenant has none
 */
export async function readForecast(store: ForecastReader, tenantId: string, poNumber: string): Promise<WholeForecast> {
  const record = await findForecast(store, tenantId, poNumber);
  const content = await store.readContent(tenantId, record.forecastNo);
  if (content === undefined) throw new AppError('50000', `Forecast ${record.forecastNo} has no content`);
  return { record, content: JSON.parse(content) as CanonicalForecast };
}
