import { type ForecastCount, type ForecastCounts, MAX_COUNTED_PER_STATUS } from '@parcelway/contracts/forecast-counts-api';
import { forecastStatuses, forecastStatusName } from '@parcelway/contracts/forecast-status';
import { type ForecastFigures, ForecastFiguresQuery, MAX_COUNTED_FORECASTS } from '@parcelway/contracts/tenant-figures-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem, tenantOf } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Router } from 'express';
import type { ForecastCounter } from '../../store/forecast-store.ts';

const figuresQuery = compileValidator(ForecastFiguresQuery);

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
