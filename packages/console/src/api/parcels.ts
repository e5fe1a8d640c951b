import type { CarrierList } from '@parcelway/contracts/carrier-api';
import type { ForecastCancellation, ForecastDetail, ForecastSummary } from '@parcelway/contracts/forecast-api';
import type { CorrectedForecast, ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import type { ForecastCount } from '@parcelway/contracts/forecast-counts-api';
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
import { listOf, type Page, type PageRequest, pageOf } from './paging.ts';

const FORECASTS = '/open/v1/forecasts';
const FORECAST = `${FORECASTS}/{po_number}`;
/** Milliseconds that a table of every forecast may take. */
const EXPORT_DEADLINE_MS = 600_000;
const PAGE_SIZE = 25;

/** Sorted by po_number when filtered by its prefix, by latest change when filtered by that, else newest first. */
export const listForecasts = (client: Client, filter: ForecastFilter, at: PageRequest) =>
  pageOf<ForecastSummary>(client, FORECASTS, 'forecasts', { ...apiQueryOf(filter), ...at, limit: PAGE_SIZE });

const BY_NUMBER = 'number:';
const mayBeNumber = ({ prefix, trackingNumber }: ForecastFilter): boolean => trackingNumber.trim() === '' && isLogisticsNumber(prefix);
const asNumber = (filter: ForecastFilter): ForecastFilter => ({ ...filter, prefix: '', trackingNumber: filter.prefix });

/** As {@link listForecasts}. When no po_number has the prefix, searches for it as a logistics number. */
export async function findForecasts(
  client: Client,
  filter: ForecastFilter,
  { cursor, signal }: PageRequest,
): Promise<Page<ForecastSummary>> {
  const isByNumber = cursor?.startsWith(BY_NUMBER) ?? false;
  if (!isByNumber) {
    const page = await listForecasts(client, filter, { cursor, signal });
    if (page.items.length > 0 || cursor !== undefined || !mayBeNumber(filter)) return page;
  }
  const found = await listForecasts(client, asNumber(filter), { cursor: cursor?.slice(BY_NUMBER.length), signal });
  return { items: found.items, next: found.next === null ? null : `${BY_NUMBER}${found.next}` };
}

export const countForecasts = (client: Client, signal: AbortSignal) =>
  listOf<ForecastCount>(client, '/open/v1/forecast-counts', 'statuses', { signal });

/** One forecast. @throws ApiFailure 40401 when there is none */
export const getForecast = (client: Client, poNumber: string, signal?: AbortSignal) =>
  client.call<ForecastDetail>(pathOf(FORECAST, poNumber), signal === undefined ? {} : { signal });

export const queryWeighing = (client: Client, poNumber: string, signal: AbortSignal) =>
  client.call<WeighingData>(`${FORECASTS}/weighing`, { query: { po_number: poNumber }, signal });

/** Asks the carrier at the time of the request. @throws ApiFailure 50001 while the carrier does not respond */
export const queryTracking = (client: Client, poNumber: string, signal: AbortSignal) =>
  client.call<TrackingResult>(`${FORECASTS}/tracking`, { query: { po_number: poNumber }, signal });

/** A forecast in short, with its stored tracking; no request to the carrier. @returns undefined for an unknown forecast */
export async function queryStored(client: Client, poNumber: string, signal: AbortSignal): Promise<QueriedForecast | undefined> {
  const body = { po_numbers: [poNumber], include: ['tracking'] } satisfies ForecastsQuery;
  const { results } = await client.call<ForecastQueryResults>(`${FORECASTS}/query`, { method: 'POST', body, signal });
  return results[0]?.data ?? undefined;
}

export const listCarriers = (client: Client, signal: AbortSignal) => client.call<CarrierList>('/open/v1/carriers', { signal });

export async function exportForecasts(client: FileClient, filter: ForecastFilter): Promise<Download> {
  const query = { ...apiQueryOf(filter), limit: 1 };
  const isByNumber = mayBeNumber(filter) && (await client.call<{ forecasts: unknown[] }>(FORECASTS, { query })).forecasts.length === 0;
  const asked = isByNumber ? asNumber(filter) : filter;
  return client.download(`${FORECASTS}.csv`, { query: apiQueryOf(asked), deadlineMs: EXPORT_DEADLINE_MS });
}

export const validateForecast = (client: Client, body: ForecastSubmission) =>
  client.call<ForecastValidation>(FORECASTS, { method: 'POST', query: { validate_only: 'true' }, body });

export const submitForecast = (client: Client, body: ForecastSubmission) =>
  client.call<ForecastAcceptance>(FORECASTS, { method: 'POST', body });

/** Corrects a forecast. @param version that the correction is based on @throws ApiFailure 41201 when it has another one */
export const correctForecast = (client: Client, poNumber: string, version: number, body: ForecastCorrection) =>
  client.call<CorrectedForecast>(pathOf(FORECAST, poNumber), { method: 'PATCH', body, ifMatch: `"${version}"` });

/** Cancels a forecast that has not arrived. @throws ApiFailure 40902 when it has */
export const cancelForecast = (client: Client, poNumber: string) =>
  client.call<ForecastCancellation>(pathOf(`${FORECAST}/cancel`, poNumber), { method: 'POST' });

export const addImage = (client: Client, poNumber: string, body: ForecastImageAddition) =>
  client.call<unknown>(pathOf(`${FORECAST}/images`, poNumber), { method: 'POST', body });

/** Takes an own image from a forecast. @param imageNumber `id` of the image */
export const removeImage = (client: Client, poNumber: string, imageNumber: number) =>
  client.call<unknown>(pathOf(`${FORECAST}/images/{image_number}`, poNumber, String(imageNumber)), { method: 'DELETE' });

/** Plays the warehouse or the carrier; sandbox only. */
export const simulate = (client: Client, body: Simulation) =>
  client.call<SimulationResult>('/sandbox/v1/simulations', { method: 'POST', body });

export const listWarehouses = (client: Client, signal: AbortSignal) =>
  listOf<Warehouse>(client, '/open/v1/warehouses', 'warehouses', { signal });
