import { ForecastListQuery } from '@parcelway/contracts/forecast-api';
import { PoNumberQuery } from '@parcelway/contracts/po-number';
import { compileValidator } from '@parcelway/contracts/validator';
import { tenantOf } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { SealedCursors } from '@parcelway/http/sealed-cursor';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Request, Router } from 'express';
import { mayBePlace, placeInText, textOfPlace } from '../../store/domain/list-plan.ts';
import { entityTag } from '../../store/domain/version-condition.ts';
import type { ForecastChanges, ForecastCounter, ForecastLister, ForecastReader } from '../../store/forecast-store.ts';
import { isTrackedSoon } from '../domain/is-shipped.ts';
import { filtersOf, listForecasts, planList } from '../list-forecasts.ts';
import type { QueryManyOptions } from '../query-forecasts.ts';
import { findForecast, readForecast } from '../query-forecasts.ts';
import { exportRoute } from './http-export.ts';
import { figuresRoutes, internalRoutes } from './http-internal.ts';
import { type DetailOptions, detailData, summaryData, untrackedData, weighingData } from './representations.ts';

export interface ReadRoutesOptions {
  /** Those of the list. */
  readonly cursors: SealedCursors;
  readonly clock: Clock;
  readonly detail: DetailOptions;
  readonly tracking: QueryManyOptions['tracking'];
  readonly store: ForecastReader & ForecastLister & ForecastCounter & Pick<ForecastChanges, 'read'>;
}

const poNumberQueryValidator = compileValidator(PoNumberQuery);

const poNumberOf = (req: Request): string => String(req.params['po_number']);

const DEFAULT_LIMIT = 20;

const invalidCursor: FieldError = {
  field: 'cursor',
  rule: 'cursor',
  message: 'cursor must be the next_cursor of the previous page, with the same filters',
};

const listQueryValidator = compileValidator(ForecastListQuery);

function listRoutes(router: Router, { store, cursors }: ReadRoutesOptions): void {
  router.get('/open/v1/forecasts', async (req, res) => {
    const tenantId = tenantOf(req);
    let place: string | undefined;
    const query = parseQuery(req, listQueryValidator, {
      cursor(text) {
        place = cursors.open(tenantId, text) ?? '';
        return mayBePlace(place) ? undefined : invalidCursor;
      },
    });
    const filters = filtersOf(query);
    const after = place === undefined ? undefined : placeInText(filters, place);
    if (place !== undefined && after === undefined) throw AppError.validation([invalidCursor]);
    const list = planList(filters);
    const page =
      list === undefined
        ? { forecasts: [], next: null }
        : await listForecasts(store, tenantId, list, Number(query.limit ?? DEFAULT_LIMIT), after);
    const nextPlace = list === undefined || page.next === null ? null : store.placeBehind(list.plan.walk, page.next);
    const nextCursor = nextPlace === null ? null : cursors.seal(tenantId, textOfPlace(filters, nextPlace));
    sendOk(res, { forecasts: page.forecasts.map(summaryData), next_cursor: nextCursor });
  });
}

export function readRoutes(router: Router, options: ReadRoutesOptions): void {
  const { store, clock, detail } = options;
  listRoutes(router, options);
  exportRoute(router, store);
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
