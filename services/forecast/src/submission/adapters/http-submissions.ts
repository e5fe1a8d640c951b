import type { ForecastCancellation, ForecastDetail } from '@parcelway/contracts/forecast-api';
import { ForecastBatchEnvelope } from '@parcelway/contracts/forecast-batch-api';
import { type ForecastPart, ForecastsQuery, forecastParts } from '@parcelway/contracts/forecast-query-api';
import { SubmissionQuery } from '@parcelway/contracts/forecast-validation-api';
import type { Scope } from '@parcelway/contracts/scopes';
import { compileValidator } from '@parcelway/contracts/validator';
import { logFailure, principalOf, tenantOf } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import { type Idempotency, seedOf } from '@parcelway/http/idempotency';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { type ResponseOptions, sendOk } from '@parcelway/http/response';
import { AppError, toAppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import type { Request, RequestHandler, Router } from 'express';
import type { DetailOptions } from '../../lists/adapters/representations.ts';
import { type QueryManyOptions, queryMany } from '../../lists/query-forecasts.ts';
import { entityTag } from '../../store/domain/version-condition.ts';
import type { RequestOrigin } from '../../store/ports.ts';
import type { CancelForecast } from '../cancel-forecast.ts';
import type { CorrectForecast } from '../correct-forecast.ts';
import type { Outcome, SubmitBatch, ValidateBatch } from '../submit-batch.ts';
import type { SubmitForecast } from '../submit-forecast.ts';
import type { ValidateForecast } from '../validate-forecast.ts';
import { acceptanceData, acceptedResult, batchData, correctedData, queryResult, validationData } from './submission-representations.ts';

export interface SubmissionRoutesOptions {
  readonly submit: SubmitForecast;
  readonly validate: ValidateForecast;
  readonly cancel: CancelForecast;
  readonly correct: CorrectForecast;
  readonly submitBatch: SubmitBatch;
  readonly validateBatch: ValidateBatch;
  readonly queryMany: QueryManyOptions;
  readonly idempotency: Idempotency;
  readonly detail: DetailOptions;
  readonly logger: Logger;
}

const poNumberOf = (req: Request): string => String(req.params['po_number']);

/** The header of a response about an effect from before. */
const replayHeader = ({ replayed }: { readonly replayed: boolean }): ResponseOptions =>
  replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {};

function versionHeader(body: string): Readonly<Record<string, string>> {
  const { data } = JSON.parse(body) as { readonly data: Pick<ForecastDetail, 'version'> };
  return { ETag: entityTag(data.version) };
}

const batchValidator = compileValidator(ForecastBatchEnvelope);
const queryValidator = compileValidator(ForecastsQuery);
const submissionQueryValidator = compileValidator(SubmissionQuery);

const scopeOf: Readonly<Record<ForecastPart, Scope>> = { weighing: 'weighing:read', tracking: 'tracking:read' };

/** True when a submission is only to be validated. @throws AppError 42201 for another value than true and false */
function isValidateOnly(req: Request): boolean {
  // Nearly every submission: it does not pay for a query that it does not have.
  if (!req.originalUrl.includes('?')) return false;
  return parseQuery(req, submissionQueryValidator).validate_only === 'true';
}

const originOf = (req: Request): RequestOrigin => ({ keyId: principalOf(req).keyId, traceparent: traceparentOf(req) });

/** Middleware that passes a request by another one when it only validates: it has no effect that could be repeated. */
function unlessValidateOnly(middleware: RequestHandler): RequestHandler {
  return (req, res, next) => (isValidateOnly(req) ? next() : middleware(req, res, next));
}

/** The routes about many forecasts at once, and the validation of one. */
function batchRoutes(router: Router, options: SubmissionRoutesOptions): void {
  const { validate, submitBatch, validateBatch, idempotency, logger } = options;
  router.post('/open/v1/forecasts/validate', jsonBody(), async (req, res) => {
    sendOk(res, validationData(await validate(tenantOf(req), req.body)));
  });
  router.post(
    '/open/v1/forecasts/batch',
    jsonBody(),
    unlessValidateOnly(idempotency.route('submitForecastBatch', tenantOf)),
    async (req, res) => {
      const { forecasts } = batchValidator.parse(req.body);
      const warnings = bodyWarnings(req.body, batchValidator.fields);
      if (isValidateOnly(req)) {
        const outcomes = await validateBatch(tenantOf(req), forecasts);
        logFailures(logger, req, outcomes);
        sendOk(res, { ...batchData(outcomes, validationData), warnings });
        return;
      }
      const outcomes = await submitBatch(tenantOf(req), forecasts, originOf(req));
      logFailures(logger, req, outcomes);
      // A repeat is to submit what failed only for now.
      sendOk(res, { ...batchData(outcomes, acceptedResult), warnings }, { isFinal: !outcomes.some(isTemporary) });
    },
  );
  router.post('/open/v1/forecasts/query', jsonBody(), async (req, res) => {
    const { po_numbers: poNumbers, include = [] } = queryValidator.parse(req.body);
    const parts = new Set(include);
    assertScopes(req, parts);
    const found = await queryMany(options.queryMany, tenantOf(req), poNumbers, parts.has('tracking'), traceparentOf(req));
    const results = found.map((forecast, index) => queryResult(index, forecast, parts, options.detail));
    sendOk(res, { results, warnings: bodyWarnings(req.body, queryValidator.fields) });
  });
}

function assertScopes(req: Request, parts: ReadonlySet<ForecastPart>): void {
  const { scopes } = principalOf(req);
  const missing = forecastParts.find((part) => parts.has(part) && !scopes.includes(scopeOf[part]));
  if (missing !== undefined) throw new AppError('40301', `include ${missing} needs an API key with the scope ${scopeOf[missing]}`);
}

const isTemporary = (outcome: Outcome<unknown>): boolean => outcome.kind === 'failed' && toAppError(outcome.error).httpStatus >= 500;

/** What fails for one forecast is logged as what fails for a request. */
function logFailures(logger: Logger, req: Request, outcomes: readonly Outcome<unknown>[]): void {
  for (const [index, outcome] of outcomes.entries())
    if (outcome.kind === 'failed') logFailure(logger, req, toAppError(outcome.error), { index });
}

/** The public routes that change forecasts: submission, correction, cancellation. */
export function submissionRoutes(router: Router, options: SubmissionRoutesOptions): void {
  const { submit, validate, cancel, correct, idempotency, detail } = options;
  batchRoutes(router, options);
  const once = unlessValidateOnly(idempotency.route('submitForecast', tenantOf));
  router.post('/open/v1/forecasts', jsonBody(), once, async (req, res) => {
    if (isValidateOnly(req)) {
      sendOk(res, validationData(await validate(tenantOf(req), req.body)));
      return;
    }
    const acceptance = await submit(tenantOf(req), req.body, originOf(req));
    sendOk(res, acceptanceData(acceptance), replayHeader(acceptance));
    // Until the response is with the operating system, or the client is gone: node writes it in a later turn.
    if (!res.closed) await new Promise<void>((resolve) => res.once('close', resolve));
    await failpointAsync('forecast.after-answer');
  });
  router.patch(
    '/open/v1/forecasts/:po_number',
    jsonBody(),
    idempotency.route('correctForecast', tenantOf, { headersOf: versionHeader }),
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
      sendOk(res, correctedData(corrected, detail), { headers });
    },
  );
  router.post('/open/v1/forecasts/:po_number/cancel', async (req, res) => {
    const cancellation = await cancel(tenantOf(req), poNumberOf(req), originOf(req));
    const data: ForecastCancellation = {
      forecast_no: cancellation.forecastNo,
      po_number: cancellation.poNumber,
      status: 'CANCELLED',
      cancel_time: isoInstant(cancellation.cancelledAt),
    };
    sendOk(res, data, replayHeader(cancellation));
  });
}
