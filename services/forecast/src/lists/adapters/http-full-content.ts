import { ForecastContentQuery } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { Request, Router } from 'express';
import type { ForecastReader } from '../../store/ports.ts';
import { readForecastByNo, type WholeForecast } from '../query-forecasts.ts';
import { type DetailOptions, detailData, weighingData } from './representations.ts';

const forecastQueryValidator = compileValidator(ForecastContentQuery);

/**
 * The internal routes by which the webhook service reads what the queries return, for endpoints that are sent it. A forecast is named by
 * `forecast_no`: the `po_number` of a cancelled one may be another's by now.
 */
export function fullContentRoutes(router: Router, store: ForecastReader, detail: DetailOptions): void {
  const forecastOf = (req: Request): Promise<WholeForecast> => {
    assertSystem(req);
    const { tenant_id, forecast_no } = parseQuery(req, forecastQueryValidator);
    return readForecastByNo(store, tenant_id, forecast_no);
  };
  router.get('/internal/v1/forecasts/detail', async (req, res) => {
    sendOk(res, detailData(await forecastOf(req), detail));
  });
  router.get('/internal/v1/forecasts/weighing', async (req, res) => {
    sendOk(res, weighingData((await forecastOf(req)).record));
  });
}
