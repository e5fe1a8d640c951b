import type { ForecastDetail, ForecastSummary } from '@parcelway/contracts/forecast-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { WeighingData } from '@parcelway/contracts/weighing-api';
import { type Client, pathOf } from '@parcelway/page/api/client';
import type { Page } from './webhooks.ts';

/** Forecasts a page. */
const PAGE_SIZE = 25;

/** What a list of forecasts is narrowed to; empty for no condition. */
export interface ForecastFilter {
  /** 1 to 7. */
  readonly status: string;
  /** The whole number, not a part of it. */
  readonly poNumber: string;
}

/** A page of forecasts, newest first. */
export async function listForecasts(
  client: Client,
  { status, poNumber }: ForecastFilter,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<Page<ForecastSummary>> {
  const query = { status, po_number: poNumber, cursor, limit: PAGE_SIZE };
  const found = await client.call<{ forecasts: ForecastSummary[]; next_cursor: string | null }>('/open/v1/forecasts', { query, signal });
  return { items: found.forecasts, next: found.next_cursor };
}

/** One forecast. @throws ApiFailure 40401 when there is none */
export function getForecast(client: Client, poNumber: string, signal: AbortSignal): Promise<ForecastDetail> {
  return client.call(pathOf('/open/v1/forecasts/{po_number}', poNumber), { signal });
}

/** Current measurements and photos. */
export function queryWeighing(client: Client, poNumber: string, signal: AbortSignal): Promise<WeighingData> {
  return client.call('/open/v1/forecasts/weighing', { query: { po_number: poNumber }, signal });
}

/** Asks the carrier at the time of the request. @throws ApiFailure 50001 while the carrier does not respond */
export function queryTracking(client: Client, poNumber: string, signal: AbortSignal): Promise<TrackingResult> {
  return client.call('/open/v1/forecasts/tracking', { query: { po_number: poNumber }, signal });
}

/** Proves a key: needs no scope. @throws ApiFailure 40003 for a key that opens nothing, 40301 for one of a warehouse */
export async function checkKey(client: Client): Promise<void> {
  await client.call('/open/v1/warehouses');
}
