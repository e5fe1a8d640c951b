import type { ForecastListQuery } from '@parcelway/contracts/forecast-api';
import { type ForecastStatus, type ForecastStatusName, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { mayBePoNumber } from '@parcelway/contracts/po-number';
import { AppError } from '@parcelway/kernel/app-error';
import type { CanonicalForecast } from './domain/canonical.ts';
import type { ForecastRecord, ReceivedItem } from './domain/forecast.ts';
import { type SubmittedForecast, submittedForecast } from './domain/known-forecast.ts';
import type { ListPosition } from './domain/list-cursor.ts';
import type { ForecastLister, ForecastReader, ListedForecast, ListQuery } from './ports.ts';

const DEFAULT_LIMIT = 20;

/** A page of the list. */
export interface Page {
  readonly forecasts: readonly ListedForecast[];
  /** Where the next page begins; null on the last page. */
  readonly next: ListPosition | null;
}

/** As {@link SubmittedForecast}, with what was received. */
export interface WholeForecast extends SubmittedForecast {
  /** Undefined until the warehouse has counted. */
  readonly receivedItems: readonly ReceivedItem[] | undefined;
}

/** Adds what was received. */
export async function wholeForecast(store: ForecastReader, submitted: SubmittedForecast): Promise<WholeForecast> {
  const { tenantId, forecastNo, progress } = submitted.record;
  return { ...submitted, receivedItems: progress.counted && (await store.readReceivedItems(tenantId, forecastNo)) };
}

function statusOf(text: string): ForecastStatus {
  return forecastStatuses[text as ForecastStatusName] ?? (Number(text) as ForecastStatus);
}

/** The list query in the store's terms, for one more row than asked for: it shows whether a page follows. */
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
 * As {@link findForecast}, with the content and what was received.
 * @throws AppError 40401 when the tenant has none
 */
export async function readForecast(store: ForecastReader, tenantId: string, poNumber: string): Promise<WholeForecast> {
  const found = mayBePoNumber(poNumber) ? await store.readByPoNumber(tenantId, poNumber) : undefined;
  if (!found) throw new AppError('40401');
  return wholeForecast(store, submittedForecast(found));
}

/**
 * As {@link readForecast}, by the number that no other forecast ever has.
 * @throws AppError 40403 when the tenant has no such forecast
 */
export async function readForecastByNo(store: ForecastReader, tenantId: string, forecastNo: string): Promise<WholeForecast> {
  const found = await store.readByForecastNo(tenantId, forecastNo);
  if (!found) throw noForecast(forecastNo);
  return wholeForecast(store, submittedForecast(found));
}

const noForecast = (forecastNo: string): AppError =>
  new AppError('40403', `There is no forecast ${JSON.stringify(forecastNo)} of this tenant`);

/**
 * What a forecast is to contain, for other services of the platform.
 * @throws AppError 40403 when the tenant has no such forecast
 */
export async function readContent(
  store: ForecastReader,
  tenantId: string,
  forecastNo: string,
): Promise<{ readonly version: number; readonly content: CanonicalForecast }> {
  const stored = await store.readContent(tenantId, forecastNo);
  if (!stored) throw noForecast(forecastNo);
  return { version: stored.version, content: JSON.parse(stored.content) as CanonicalForecast };
}
