import type { ForecastContent } from '@parcelway/contracts/domain-events';
import {
  ForecastContentQuery,
  type ForecastDetail,
  ForecastListQuery,
  ForecastLookupQuery,
  PoNumberQuery,
} from '@parcelway/contracts/forecast-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem, principalOf, tenantOf } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import { type Idempotency, seedOf } from '@parcelway/http/idempotency';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { type ResponseOptions, sendOk } from '@parcelway/http/response';
import type { SealedCursors } from '@parcelway/http/sealed-cursor';
import type { FieldError } from '@parcelway/kernel/app-error';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Request, Response, Router } from 'express';
import type { CancelForecast } from '../cancel-forecast.ts';
import type { CorrectForecast } from '../correct-forecast.ts';
import { isShipped } from '../domain/advance.ts';
import { type ListPosition, positionInText, textOfPosition } from '../domain/list-cursor.ts';
import { identityData } from '../domain/messages.ts';
import { entityTag } from '../domain/version-condition.ts';
import type { ForecastLister, ForecastReader, ForecastScanner } from '../ports.ts';
import { findForecast, listForecasts, readContent, readForecast } from '../query-forecasts.ts';
import type { SubmitForecast } from '../submit-forecast.ts';
import { fullContentRoutes } from './http-full-content.ts';
import { acceptanceData, cancellationData, correctedData, detailData, summaryData, weighingData } from './representations.ts';

/** What the routes call. */
export interface ForecastRoutesOptions {
  readonly submit: SubmitForecast;
  readonly cancel: CancelForecast;
  readonly correct: CorrectForecast;
  readonly store: ForecastReader & ForecastLister & ForecastScanner;
  /** Those of the list. */
  readonly cursors: SealedCursors;
  readonly idempotency: Idempotency;
  /** cm³ that count as 1 kg. */
  readonly volumeDivisor: number;
}

const invalidCursor: FieldError = { field: 'cursor', rule: 'cursor', message: 'cursor must be the next_cursor of a page before' };

const listQueryValidator = compileValidator(ForecastListQuery);
const poNumberQueryValidator = compileValidator(PoNumberQuery);
const contentQueryValidator = compileValidator(ForecastContentQuery);
const lookupQueryValidator = compileValidator(ForecastLookupQuery);

const poNumberOf = (req: Request): string => String(req.params['po_number']);

/** The header of a response about an effect from before. */
const replayHeader = ({ replayed }: { readonly replayed: boolean }): ResponseOptions =>
  replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {};

/** The version in a response that is sent again. */
function versionHeader(body: string): Readonly<Record<string, string>> {
  const { data } = JSON.parse(body) as { readonly data: Pick<ForecastDetail, 'version'> };
  return { ETag: entityTag(data.version) };
}

/** Resolves once the response is with the operating system, or the client is gone: node writes it in a later turn. */
async function responseSent(res: Response): Promise<void> {
  if (!res.closed) await new Promise<void>((resolve) => res.once('close', resolve));
}

/** The public routes of forecasts, and those by which other services learn of a forecast before its event reaches them, or what is too large for an event. */
export function forecastRoutes(
  router: Router,
  { submit, cancel, correct, store, cursors, idempotency, volumeDivisor }: ForecastRoutesOptions,
): void {
  router.post('/open/v1/forecasts', jsonBody(), idempotency.route('submitForecast', tenantOf), async (req, res) => {
    const acceptance = await submit(tenantOf(req), req.body, traceparentOf(req));
    sendOk(res, acceptanceData(acceptance), replayHeader(acceptance));
    await responseSent(res);
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
    const shipped = isShipped(await findForecast(store, tenantOf(req), poNumber));
    const tracking: TrackingResult = { po_number: poNumber, is_shipped: shipped, is_terminal: false, latest_status: '', nodes: [] };
    sendOk(res, tracking);
  });
  router.get('/open/v1/forecasts/:po_number', async (req, res) => {
    const forecast = await readForecast(store, tenantOf(req), poNumberOf(req));
    sendOk(res, detailData(forecast, volumeDivisor), { headers: { ETag: entityTag(forecast.record.contentVersion) } });
  });
  router.patch(
    '/open/v1/forecasts/:po_number',
    jsonBody(),
    idempotency.route('correctForecast', tenantOf, versionHeader),
    async (req, res) => {
      const corrected = await correct({
        tenantId: tenantOf(req),
        poNumber: poNumberOf(req),
        body: req.body,
        ifMatch: req.get('if-match'),
        keyId: principalOf(req).keyId,
        seed: seedOf(req),
        traceparent: traceparentOf(req),
      });
      const headers = { ETag: entityTag(corrected.record.contentVersion), ...replayHeader(corrected).headers };
      sendOk(res, correctedData(corrected, volumeDivisor), { headers });
    },
  );
  router.post('/open/v1/forecasts/:po_number/cancel', async (req, res) => {
    const cancellation = await cancel(tenantOf(req), poNumberOf(req), traceparentOf(req));
    sendOk(res, cancellationData(cancellation), replayHeader(cancellation));
  });
  // Called by tracking services of release 0.1, which run beside this one during an upgrade.
  router.get('/internal/v1/forecasts/lookup', async (req, res) => {
    assertSystem(req);
    const query = parseQuery(req, lookupQueryValidator);
    const { record, content } = await readForecast(store, query.tenant_id, query.po_number);
    sendOk(res, { ...identityData(record, content), status: record.status, is_shipped: isShipped(record) });
  });
  router.get('/internal/v1/forecasts/content', async (req, res) => {
    assertSystem(req);
    const query = parseQuery(req, contentQueryValidator);
    const { version, content } = await readContent(store, query.tenant_id, query.forecast_no);
    sendOk(res, { version, items: [...content.items] } satisfies ForecastContent);
  });
  fullContentRoutes(router, store, volumeDivisor);
}
