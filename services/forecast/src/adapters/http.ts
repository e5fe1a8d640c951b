import { ForecastListQuery, ForecastLookupQuery, PoNumberQuery } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { type AnswerOptions, sendOk } from '@parcelway/http/answer';
import { assertSystem, tenantOf } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import type { Idempotency } from '@parcelway/http/idempotency';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import type { SealedCursors } from '@parcelway/http/sealed-cursor';
import type { FieldError } from '@parcelway/kernel/app-error';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Request, Response, Router } from 'express';
import { acceptedData } from '../announce.ts';
import type { CancelForecast } from '../cancel-forecast.ts';
import { isShipped } from '../domain/advance.ts';
import { trackingNumbersOf } from '../domain/canonical.ts';
import { type ListPosition, positionInText, textOfPosition } from '../domain/list-cursor.ts';
import type { ForecastLister, ForecastReader } from '../ports.ts';
import { findForecast, listForecasts, readForecast } from '../query-forecasts.ts';
import type { SubmitForecast } from '../submit-forecast.ts';
import { acceptanceAnswer, cancellationAnswer, detailAnswer, summaryAnswer, weighingAnswer } from './representations.ts';

/** What the routes call. */
export interface ForecastRoutesOptions {
  readonly submit: SubmitForecast;
  readonly cancel: CancelForecast;
  readonly store: ForecastReader & ForecastLister;
  /** Those of the list. */
  readonly cursors: SealedCursors;
  readonly idempotency: Idempotency;
}

const invalidCursor: FieldError = { field: 'cursor', rule: 'cursor', message: 'cursor must be the next_cursor of a page before' };

const listQueryValidator = compileValidator(ForecastListQuery);
const poNumberQueryValidator = compileValidator(PoNumberQuery);
const lookupQueryValidator = compileValidator(ForecastLookupQuery);

const poNumberOf = (req: Request): string => String(req.params['po_number']);

/** The header of a response that tells of an effect from before. */
const replayHeader = ({ replayed }: { readonly replayed: boolean }): AnswerOptions =>
  replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {};

/** Resolves once the answer is with the operating system, or the client is gone: node writes it in a later turn. */
async function handedOver(res: Response): Promise<void> {
  if (!res.closed) await new Promise<void>((resolve) => res.once('close', resolve));
}

/** The public routes of forecasts, and the look-up by which other services learn of a forecast before its event reaches them. */
export function forecastRoutes(router: Router, { submit, cancel, store, cursors, idempotency }: ForecastRoutesOptions): void {
  router.post('/open/v1/forecasts', jsonBody(), idempotency.route('submitForecast', tenantOf), async (req, res) => {
    const acceptance = await submit(tenantOf(req), req.body, traceparentOf(req));
    sendOk(res, acceptanceAnswer(acceptance), replayHeader(acceptance));
    await handedOver(res);
    await failpointAsync('forecast.after-answer');
  });
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
    sendOk(res, { forecasts: forecasts.map(summaryAnswer), next_cursor: nextCursor });
  });
  // Before the route of a po_number, which would take "weighing" for one.
  router.get('/open/v1/forecasts/weighing', async (req, res) => {
    const query = parseQuery(req, poNumberQueryValidator);
    sendOk(res, weighingAnswer(await findForecast(store, tenantOf(req), query.po_number)));
  });
  router.get('/open/v1/forecasts/:po_number', async (req, res) => {
    sendOk(res, detailAnswer(await readForecast(store, tenantOf(req), poNumberOf(req))));
  });
  router.post('/open/v1/forecasts/:po_number/cancel', async (req, res) => {
    const cancellation = await cancel(tenantOf(req), poNumberOf(req), traceparentOf(req));
    sendOk(res, cancellationAnswer(cancellation), replayHeader(cancellation));
  });
  router.get('/internal/v1/forecasts/lookup', async (req, res) => {
    assertSystem(req);
    const query = parseQuery(req, lookupQueryValidator);
    const { record, content } = await readForecast(store, query.tenant_id, query.po_number);
    sendOk(res, { ...acceptedData(record, trackingNumbersOf(content)), status: record.status, is_shipped: isShipped(record) });
  });
}
