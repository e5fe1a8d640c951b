import { ForecastBatchEnvelope } from '@parcelway/contracts/forecast-batch-api';
import { type ForecastPart, ForecastsQuery, forecastParts } from '@parcelway/contracts/forecast-query-api';
import { SubmissionQuery } from '@parcelway/contracts/forecast-validation-api';
import type { Scope } from '@parcelway/contracts/scopes';
import { compileValidator } from '@parcelway/contracts/validator';
import { logFailure, principalOf, tenantOf } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import type { Idempotency } from '@parcelway/http/idempotency';
import { bodyWarnings } from '@parcelway/http/ignored-input';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { AppError, toAppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { Request, RequestHandler, Router } from 'express';
import type { DetailOptions } from '../../lists/adapters/representations.ts';
import { type QueryManyOptions, queryMany } from '../../lists/query-forecasts.ts';
import type { RequestOrigin } from '../../store/ports.ts';
import type { Outcome, SubmitBatch, ValidateBatch } from '../submit-batch.ts';
import type { ValidateForecast } from '../validate-forecast.ts';
import { acceptedResult, batchData, queryResult, validationData } from './submission-representations.ts';

export interface BatchRoutesOptions {
  readonly validate: ValidateForecast;
  readonly submitBatch: SubmitBatch;
  readonly validateBatch: ValidateBatch;
  readonly queryMany: QueryManyOptions;
  readonly detail: DetailOptions;
  readonly idempotency: Idempotency;
  readonly logger: Logger;
}

const batchValidator = compileValidator(ForecastBatchEnvelope);
const queryValidator = compileValidator(ForecastsQuery);
const submissionQueryValidator = compileValidator(SubmissionQuery);

const scopeOf: Readonly<Record<ForecastPart, Scope>> = { weighing: 'weighing:read', tracking: 'tracking:read' };

/** True when a submission is only to be validated. @throws AppError 42201 for another value than true and false */
export function isValidateOnly(req: Request): boolean {
  // Nearly every submission: it does not pay for a query that it does not have.
  if (!req.originalUrl.includes('?')) return false;
  return parseQuery(req, submissionQueryValidator).validate_only === 'true';
}

export const originOf = (req: Request): RequestOrigin => ({ keyId: principalOf(req).keyId, traceparent: traceparentOf(req) });

/** Middleware that passes a request by another one when it only validates: it has no effect that could be repeated. */
export function unlessValidateOnly(middleware: RequestHandler): RequestHandler {
  return (req, res, next) => (isValidateOnly(req) ? next() : middleware(req, res, next));
}

/** The routes about many forecasts at once, and the validation of one. */
export function batchRoutes(router: Router, options: BatchRoutesOptions): void {
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
