import type { ForecastSummary } from '@parcelway/contracts/forecast-api';
import { isLogisticsNumber } from '@parcelway/contracts/tracking-number';
import type { Client, Download, FileClient } from '@parcelway/page/api/client';
import { type Page, type PageRequest, pageOf } from '@parcelway/page/data/paging';
import { apiQueryOf, type ForecastFilter } from './forecast-filter.ts';

export const WAREHOUSES = '/open/v1/warehouses';
export const FORECASTS = '/open/v1/forecasts';
export const FORECAST = `${FORECASTS}/{po_number}`;
/** Milliseconds that a table of every forecast may take. */
const EXPORT_DEADLINE_MS = 600_000;
const PAGE_SIZE = 25;

/** Sorted by po_number when filtered by its prefix, by latest change when filtered by that, else newest first. */
const listForecasts = (client: Client, filter: ForecastFilter, at: PageRequest) =>
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

export async function exportForecasts(client: FileClient, filter: ForecastFilter): Promise<Download> {
  const query = { ...apiQueryOf(filter), limit: 1 };
  const isByNumber = mayBeNumber(filter) && (await client.call<{ forecasts: unknown[] }>(FORECASTS, { query })).forecasts.length === 0;
  const asked = isByNumber ? asNumber(filter) : filter;
  return client.download(`${FORECASTS}.csv`, { query: apiQueryOf(asked), deadlineMs: EXPORT_DEADLINE_MS });
}
