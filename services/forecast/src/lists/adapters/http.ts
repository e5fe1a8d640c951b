import { PoNumberQuery } from '@parcelway/contracts/po-number';
import { compileValidator } from '@parcelway/contracts/validator';
import { tenantOf } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Request, Router } from 'express';
import { entityTag } from '../../store/domain/version-condition.ts';
import type { ForecastChanges, ForecastCounter, ForecastReader } from '../../store/forecast-store.ts';
import { isTrackedSoon } from '../domain/is-shipped.ts';
import type { QueryManyOptions } from '../query-forecasts.ts';
import { findForecast, readForecast } from '../query-forecasts.ts';
import { exportRoute } from './http-export.ts';
import { figuresRoutes } from './http-figures.ts';
import { internalRoutes } from './http-internal.ts';
import { type ListRoutesOptions, listRoutes } from './http-lists.ts';
import { type DetailOptions, detailData, untrackedData, weighingData } from './representations.ts';

export interface ReadRoutesOptions extends ListRoutesOptions {
  readonly clock: Clock;
  readonly detail: DetailOptions;
  readonly tracking: QueryManyOptions['tracking'];
  readonly store: ForecastReader & ListRoutesOptions['store'] & ForecastCounter & Pick<ForecastChanges, 'read'>;
}

const poNumberQueryValidator = compileValidator(PoNumberQuery);

const poNumberOf = (req: Request): string => String(req.params['po_number']);

export function readRoutes(router: Router, options: ReadRoutesOptions): void {
  const { store, clock, detail } = options;
  listRoutes(router, options);
  exportRoute(router, options);
  // Before the route of a po_number, which would take "weighing" and "tracking" for one.
  router.get('/open/v1/forecasts/weighing', async (req, res) => {
    const query = parseQuery(req, poNumberQueryValidator);
    sendOk(res, weighingData(await findForecast(store, tenantOf(req), query.po_number), detail));
  });
  // The fallback of the tracking query: no parcel is under watch yet, or the event of its dispatch is still on its way: then no carrier was asked.
  router.get('/open/v1/forecasts/tracking', async (req, res) => {
    const { po_number: poNumber } = parseQuery(req, poNumberQueryValidator);
    const found = await findForecast(store, tenantOf(req), poNumber);
    if (isTrackedSoon(found, clock.now())) throw new AppError('50001', 'The tracking of this dispatch begins in a moment; try again');
    sendOk(res, untrackedData(poNumber, found));
  });
  router.get('/open/v1/forecasts/:po_number', async (req, res) => {
    const forecast = await readForecast(store, tenantOf(req), poNumberOf(req));
    sendOk(res, detailData(forecast, detail), { headers: { ETag: entityTag(forecast.record.contentVersion) } });
  });
  internalRoutes(router, options);
  figuresRoutes(router, store);
}
