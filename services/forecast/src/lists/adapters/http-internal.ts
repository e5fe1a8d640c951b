import { ForecastContentQuery } from '@parcelway/contracts/forecast-api';
import { type ForecastCount, type ForecastCounts, MAX_COUNTED_PER_STATUS } from '@parcelway/contracts/forecast-counts-api';
import { NamedForecasts } from '@parcelway/contracts/forecast-query-api';
import { forecastStatuses, forecastStatusName } from '@parcelway/contracts/forecast-status';
import type { ForecastsInShort } from '@parcelway/contracts/parcel-search-api';
import { type ForecastFigures, ForecastFiguresQuery, MAX_COUNTED_FORECASTS } from '@parcelway/contracts/tenant-figures-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem, tenantOf } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Request, Router } from 'express';
import type { ForecastRecord } from '../../store/domain/forecast.ts';
import { keyText, type WholeForecast } from '../../store/domain/known-forecast.ts';
import type { ForecastChanges, ForecastCounter, ForecastReader } from '../../store/forecast-store.ts';
import type { StoredTracking } from '../../store/ports.ts';
import { readForecastByNo } from '../query-forecasts.ts';
import { type DetailOptions, detailData, dimensions, forecastContentData, weighingData } from './representations.ts';

export interface InternalRoutesOptions {
  readonly store: ForecastReader & Pick<ForecastChanges, 'read'>;
  readonly detail: DetailOptions;
  readonly tracking: StoredTracking;
}

const forecastQuery = compileValidator(ForecastContentQuery);
const namedForecasts = compileValidator(NamedForecasts);
const figuresQuery = compileValidator(ForecastFiguresQuery);

type Short = ForecastsInShort['forecasts'][number];

function shortTracking(result: TrackingResult | undefined): Short['tracking'] {
  if (result === undefined) return null;
  const { latest_status, is_terminal, nodes } = result;
  return { latest_status, is_terminal, last_node_time: nodes[0]?.create_time ?? null };
}

function shortForecast(record: ForecastRecord, tracking: TrackingResult | undefined): Short {
  const { dispatch, measurements } = record.progress;
  const current = measurements[0];
  return {
    tenant_id: record.tenantId,
    forecast_no: record.forecastNo,
    po_number: record.poNumber,
    status_name: forecastStatusName(record.status),
    create_time: isoInstant(record.createdAt),
    update_time: isoInstant(record.updatedAt),
    weighing: current === undefined ? null : { weighed_at: current.weighed_at, ...dimensions(current) },
    dispatch: dispatch && { ...dispatch, dispatched_at: isoInstant(Date.parse(dispatch.dispatched_at)) },
    tracking: shortTracking(tracking),
  };
}

/** Stored tracking of the dispatched forecasts. Empty when it cannot be read now: the other fields are still worth showing. */
async function trackingOf(tracking: StoredTracking, records: readonly ForecastRecord[], traceparent: string | undefined) {
  const shipped = records.filter(({ progress }) => progress.dispatch !== null);
  const tenants = [...new Set(shipped.map(({ tenantId }) => tenantId))];
  const found = tenants.map(async (tenantId) => {
    const forecastNos = shipped.filter((record) => record.tenantId === tenantId).map(({ forecastNo }) => forecastNo);
    const tracked = await tracking.read(tenantId, forecastNos, traceparent).catch(() => new Map<string, TrackingResult>());
    return [tenantId, tracked] as const;
  });
  return new Map(await Promise.all(found));
}

/**
 * Routes for other services. They read a forecast before its event reaches them, or the parts that are too large for an event. The gateway reads which
 * forecasts exist and shows operators their state. Forecasts are named by `forecast_no`: another one may have the `po_number` of a cancelled one by now.
 */
export function internalRoutes(router: Router, { store, detail, tracking }: InternalRoutesOptions): void {
  const forecastOf = (req: Request): Promise<WholeForecast> => {
    assertSystem(req);
    const { tenant_id, forecast_no } = parseQuery(req, forecastQuery);
    return readForecastByNo(store, tenant_id, forecast_no);
  };
  router.get('/internal/v1/forecasts/content', async (req, res) => {
    sendOk(res, forecastContentData(await forecastOf(req)));
  });
  router.get('/internal/v1/forecasts/detail', async (req, res) => {
    sendOk(res, detailData(await forecastOf(req), detail));
  });
  router.get('/internal/v1/forecasts/weighing', async (req, res) => {
    sendOk(res, weighingData((await forecastOf(req)).record, detail));
  });

  const recordsOf = async (req: Request): Promise<ForecastRecord[]> => {
    assertSystem(req);
    const { forecasts } = namedForecasts.parse(req.body);
    const named = forecasts.map(({ tenant_id: tenantId, forecast_no: forecastNo }) => ({ tenantId, forecastNo }));
    const known = await store.read([...new Map(named.map((one) => [keyText(one), one])).values()]);
    return known.map(({ record }) => record);
  };
  router.post('/internal/v1/forecasts/existing', jsonBody(), async (req, res) => {
    const existing = (await recordsOf(req)).map(({ tenantId, forecastNo }) => ({ tenant_id: tenantId, forecast_no: forecastNo }));
    sendOk(res, { forecasts: existing } satisfies NamedForecasts);
  });
  router.post('/internal/v1/forecasts/short', jsonBody(), async (req, res) => {
    const records = await recordsOf(req);
    const tracked = await trackingOf(tracking, records, traceparentOf(req));
    const data = records.map((record) => shortForecast(record, tracked.get(record.tenantId)?.get(record.forecastNo)));
    sendOk(res, { forecasts: data } satisfies ForecastsInShort);
  });
}

/** How many forecasts of a tenant are in each status. @param most that are counted of a status */
function countsOf(store: ForecastCounter, tenantId: string, most: number): Promise<ForecastCount[]> {
  const counts = Object.values(forecastStatuses).map(async (status) => {
    const count = await store.countOf(tenantId, status, most + 1);
    return { status_name: forecastStatusName(status), count: Math.min(count, most), has_more: count > most };
  });
  return Promise.all(counts);
}

/**
 * How many forecasts a tenant has, for the tenant itself and, by way of the gateway, for operators.
 *
 *   GET /open/v1/forecast-counts
 *   GET /internal/v1/forecasts/figures?tenant_id=
 */
export function figuresRoutes(router: Router, store: ForecastCounter): void {
  router.get('/open/v1/forecast-counts', async (req, res) => {
    const statuses = await countsOf(store, tenantOf(req), MAX_COUNTED_PER_STATUS);
    sendOk(res, { statuses } satisfies Omit<ForecastCounts, 'warnings'>);
  });
  router.get('/internal/v1/forecasts/figures', async (req, res) => {
    assertSystem(req);
    const { tenant_id: tenantId } = parseQuery(req, figuresQuery);
    const [parcels, last] = await Promise.all([countsOf(store, tenantId, MAX_COUNTED_FORECASTS), store.lastChange(tenantId)]);
    sendOk(res, { parcels, last_change_time: last === undefined ? null : isoInstant(last) } satisfies ForecastFigures);
  });
}
