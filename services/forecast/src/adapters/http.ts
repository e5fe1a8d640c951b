import type { ForecastContent } from '@parcelway/contracts/domain-events';
import { ForecastContentQuery, ForecastListQuery } from '@parcelway/contracts/forecast-api';
import { PoNumberQuery } from '@parcelway/contracts/po-number';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem, tenantOf } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { SealedCursors } from '@parcelway/http/sealed-cursor';
import type { FieldError } from '@parcelway/kernel/app-error';
import type { Request, Router } from 'express';
import { type ListPosition, positionInText, textOfPosition } from '../domain/list-cursor.ts';
import { entityTag } from '../domain/version-condition.ts';
import type { ForecastChanges, ForecastLister, ForecastReader, ForecastScanner } from '../ports.ts';
import { findForecast, listForecasts, readContent, readForecast } from '../query-forecasts.ts';
import { type BatchRoutesOptions, batchRoutes } from './http-batches.ts';
import { existingForecastRoutes } from './http-existing-forecasts.ts';
import { fullContentRoutes } from './http-full-content.ts';
import { type SubmissionRoutesOptions, submissionRoutes } from './http-submissions.ts';
import { detailData, summaryData, untrackedData, weighingData } from './representations.ts';

/** What the routes call. */
export interface ForecastRoutesOptions extends SubmissionRoutesOptions, BatchRoutesOptions {
  readonly store: ForecastReader & ForecastLister & ForecastScanner & Pick<ForecastChanges, 'read'>;
  /** Those of the list. */
  readonly cursors: SealedCursors;
}

const invalidCursor: FieldError = { field: 'cursor', rule: 'cursor', message: 'cursor must be the next_cursor of the previous page' };

const listQueryValidator = compileValidator(ForecastListQuery);
const poNumberQueryValidator = compileValidator(PoNumberQuery);
const contentQueryValidator = compileValidator(ForecastContentQuery);

const poNumberOf = (req: Request): string => String(req.params['po_number']);

/** The public routes of forecasts, and those by which other services learn of a forecast before its event reaches them, or what is too large for an event. */
export function forecastRoutes(router: Router, options: ForecastRoutesOptions): void {
  const { store, cursors, volumeDivisor } = options;
  submissionRoutes(router, options);
  batchRoutes(router, options);
  router.get('/open/v1/forecasts', async (req, res) => {
    const tenantId = tenantOf(req);
    let after: ListPosition | undefined;
    const query = parseQuery(req, listQueryValidator, {
      cursor(text) {
        after = positionInText(cursors.open(tenantId, text) ?? '');
        return after === undefined ? invalidCursor : undefined;
      },
    });
    const { forecasts, next } = await listForecasts(store, tenantId, query, after);
    const nextCursor = next === null ? null : cursors.seal(tenantId, textOfPosition(next));
    sendOk(res, { forecasts: forecasts.map(summaryData), next_cursor: nextCursor });
  });
  // Before the route of a po_number, which would take "weighing" and "tracking" for one.
  router.get('/open/v1/forecasts/weighing', async (req, res) => {
    const query = parseQuery(req, poNumberQueryValidator);
    sendOk(res, weighingData(await findForecast(store, tenantOf(req), query.po_number)));
  });
  // The fallback of the tracking query: no parcel is under watch yet, or the event of its dispatch is still on its way.
  router.get('/open/v1/forecasts/tracking', async (req, res) => {
    const { po_number: poNumber } = parseQuery(req, poNumberQueryValidator);
    sendOk(res, untrackedData(poNumber, await findForecast(store, tenantOf(req), poNumber)));
  });
  router.get('/open/v1/forecasts/:po_number', async (req, res) => {
    const forecast = await readForecast(store, tenantOf(req), poNumberOf(req));
    sendOk(res, detailData(forecast, volumeDivisor), { headers: { ETag: entityTag(forecast.record.contentVersion) } });
  });
  router.get('/internal/v1/forecasts/content', async (req, res) => {
    assertSystem(req);
    const query = parseQuery(req, contentQueryValidator);
    const { version, content } = await readContent(store, query.tenant_id, query.forecast_no);
    sendOk(res, { version, items: [...content.items] } satisfies ForecastContent);
  });
  fullContentRoutes(router, store, volumeDivisor);
  existingForecastRoutes(router, store);
}
