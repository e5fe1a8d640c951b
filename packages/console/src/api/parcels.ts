import type { CarrierList } from '@parcelway/contracts/carrier-api';
import type { ForecastCancellation, ForecastDetail, ForecastSummary } from '@parcelway/contracts/forecast-api';
import type { CorrectedForecast, ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import type { ForecastCount, ForecastCounts } from '@parcelway/contracts/forecast-counts-api';
import type { ForecastQueryResults, ForecastsQuery, QueriedForecast } from '@parcelway/contracts/forecast-query-api';
import type { ForecastAcceptance, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import type { ForecastValidation } from '@parcelway/contracts/forecast-validation-api';
import type { ForecastImageAddition } from '@parcelway/contracts/own-images-api';
import type { Simulation, SimulationResult } from '@parcelway/contracts/sandbox-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import { isLogisticsNumber } from '@parcelway/contracts/tracking-number';
import type { Warehouse } from '@parcelway/contracts/warehouse-api';
import type { WeighingData } from '@parcelway/contracts/weighing-api';
import { type Client, type Download, type FileClient, pathOf } from '@parcelway/page/api/client';
import { apiQueryOf, type ForecastFilter } from './forecast-filter.ts';
import type { Page } from './webhooks.ts';

const FORECASTS = '/open/v1/forecasts';
const FORECAST = `${FORECASTS}/{po_number}`;

/** Milliseconds that a table of every forecast may take. */
const EXPORT_DEADLINE_MS = 600_000;
const PAGE_SIZE = 25;

/** A page of forecasts, newest first; with the beginning of a po_number in their order, with a time of change the latest change first. */
export async function listForecasts(
  client: Client,
  filter: ForecastFilter,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<Page<ForecastSummary>> {
  const query = { ...apiQueryOf(filter), cursor, limit: PAGE_SIZE };
  const found = await client.call<{ forecasts: ForecastSummary[]; next_cursor: string | null }>(FORECASTS, { query, signal });
  return { items: found.forecasts, next: found.next_cursor };
}

const BY_NUMBER = 'number:';

function mayBeNumber({ prefix, trackingNumber }: ForecastFilter): boolean {
  return trackingNumber.trim() === '' && isLogisticsNumber(prefix);
}

const asNumber = (filter: ForecastFilter): ForecastFilter => ({ ...filter, prefix: '', trackingNumber: filter.prefix });

/** As {@link listForecasts}; when no po_number begins with what is looked for, those with it as a logistics number. */
export async function findForecasts(
  client: Client,
  filter: ForecastFilter,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<Page<ForecastSummary>> {
  const isByNumber = cursor?.startsWith(BY_NUMBER) ?? false;
  if (!isByNumber) {
    const page = await listForecasts(client, filter, { cursor, signal });
    if (page.items.length > 0 || cursor !== undefined || !mayBeNumber(filter)) return page;
  }
  const found = await listForecasts(client, asNumber(filter), { cursor: cursor?.slice(BY_NUMBER.length), signal });
  return { items: found.items, next: found.next === null ? null : `${BY_NUMBER}${found.next}` };
}

export async function countForecasts(client: Client, signal: AbortSignal): Promise<readonly ForecastCount[]> {
  const { statuses } = await client.call<ForecastCounts>('/open/v1/forecast-counts', { signal });
  return statuses;
}

export function getForecast(client: Client, poNumber: string, signal?: AbortSignal): Promise<ForecastDetail> {
  return client.call(pathOf(FORECAST, poNumber), signal === undefined ? {} : { signal });
}

export function queryWeighing(client: Client, poNumber: string, signal: AbortSignal): Promise<WeighingData> {
  return client.call(`${FORECASTS}/weighing`, { query: { po_number: poNumber }, signal });
}

/** Asks the carrier at the time of the request. @throws ApiFailure 50001 while the carrier does not respond */
export function queryTracking(client: Client, poNumber: string, signal: AbortSignal): Promise<TrackingResult> {
  return client.call(`${FORECASTS}/tracking`, { query: { po_number: poNumber }, signal });
}

/** A forecast in short, with its tracking as the platform has it: no carrier is asked. @returns undefined when there is none */
export async function queryStored(client: Client, poNumber: string, signal: AbortSignal): Promise<QueriedForecast | undefined> {
  const body = { po_numbers: [poNumber], include: ['tracking'] } satisfies ForecastsQuery;
  const { results } = await client.call<ForecastQueryResults>(`${FORECASTS}/query`, { method: 'POST', body, signal });
  return results[0]?.data ?? undefined;
}

export function listCarriers(client: Client, signal: AbortSignal): Promise<CarrierList> {
  return client.call('/open/v1/carriers', { signal });
}

export async function exportForecasts(client: FileClient, filter: ForecastFilter): Promise<Download> {
  const query = { ...apiQueryOf(filter), limit: 1 };
  const isByNumber = mayBeNumber(filter) && (await client.call<{ forecasts: unknown[] }>(FORECASTS, { query })).forecasts.length === 0;
  const asked = isByNumber ? asNumber(filter) : filter;
  return client.download(`${FORECASTS}.csv`, { query: apiQueryOf(asked), deadlineMs: EXPORT_DEADLINE_MS });
}

export function validateForecast(client: Client, body: ForecastSubmission): Promise<ForecastValidation> {
  return client.call(FORECASTS, { method: 'POST', query: { validate_only: 'true' }, body });
}

export function submitForecast(client: Client, body: ForecastSubmission): Promise<ForecastAcceptance> {
  return client.call(FORECASTS, { method: 'POST', body });
}

/** Corrects a forecast. @param version that the correction is based on @throws ApiFailure 41201 when it has another one */
export function correctForecast(client: Client, poNumber: string, version: number, body: ForecastCorrection): Promise<CorrectedForecast> {
  return client.call(pathOf(FORECAST, poNumber), { method: 'PATCH', body, ifMatch: `"${version}"` });
}

export function cancelForecast(client: Client, poNumber: string): Promise<ForecastCancellation> {
  return client.call(pathOf(`${FORECAST}/cancel`, poNumber), { method: 'POST' });
}

export function addImage(client: Client, poNumber: string, body: ForecastImageAddition): Promise<unknown> {
  return client.call(pathOf(`${FORECAST}/images`, poNumber), { method: 'POST', body });
}

export function removeImage(client: Client, poNumber: string, imageNumber: number): Promise<unknown> {
  return client.call(pathOf(`${FORECAST}/images/{image_number}`, poNumber, String(imageNumber)), { method: 'DELETE' });
}

export function simulate(client: Client, body: Simulation): Promise<SimulationResult> {
  return client.call('/sandbox/v1/simulations', { method: 'POST', body });
}

export async function listWarehouses(client: Client, signal: AbortSignal): Promise<readonly Warehouse[]> {
  const { warehouses } = await client.call<{ warehouses: Warehouse[] }>('/open/v1/warehouses', { signal });
  return warehouses;
}
