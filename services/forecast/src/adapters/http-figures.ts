import { type ForecastStatus, forecastStatuses, forecastStatusName } from '@parcelway/contracts/forecast-status';
import { type ForecastFigures, ForecastFiguresQuery, MAX_COUNTED_FORECASTS } from '@parcelway/contracts/tenant-figures-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Router } from 'express';
import type { ForecastCounter } from '../ports.ts';

const figuresQuery = compileValidator(ForecastFiguresQuery);

/** The internal route by which the gateway shows an operator how many forecasts a tenant has. */
export function figuresRoute(router: Router, store: ForecastCounter): void {
  const counted = async (tenantId: string, status: ForecastStatus): Promise<ForecastFigures['parcels'][number]> => {
    const count = await store.countOf(tenantId, status, MAX_COUNTED_FORECASTS + 1);
    return {
      status_name: forecastStatusName(status),
      count: Math.min(count, MAX_COUNTED_FORECASTS),
      has_more: count > MAX_COUNTED_FORECASTS,
    };
  };
  router.get('/internal/v1/forecasts/figures', async (req, res) => {
    assertSystem(req);
    const { tenant_id: tenantId } = parseQuery(req, figuresQuery);
    const statuses = Object.values(forecastStatuses);
    const [parcels, last] = await Promise.all([
      Promise.all(statuses.map((status) => counted(tenantId, status))),
      store.lastChange(tenantId),
    ]);
    sendOk(res, { parcels, last_change_time: last === undefined ? null : isoInstant(last) } satisfies ForecastFigures);
  });
}
