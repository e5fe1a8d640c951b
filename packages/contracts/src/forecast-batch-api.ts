import Type, { type Static } from 'typebox';
import { ForecastSubmission } from './forecast-submission-api.ts';
import { object, titled } from './object.ts';
import { instant, nullable } from './text.ts';
import { inputWarnings, Warning } from './warnings.ts';

/** Most forecasts of one request. */
export const MAX_BATCH = 100;

/** Body of a batch. Each forecast is checked by itself, so one that is wrong does not affect the others. */
export const ForecastBatch = titled('ForecastBatch', 'Batch of forecasts', {
  forecasts: Type.Array(ForecastSubmission, {
    minItems: 1,
    maxItems: MAX_BATCH,
    description: 'Forecasts. Each has the same fields as a single submission',
  }),
});
export type ForecastBatch = Static<typeof ForecastBatch>;

/** {@link ForecastBatch} without the schema of its forecasts: what the request as a whole must be. */
export const ForecastBatchEnvelope = Type.Object({
  forecasts: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_BATCH }),
});

/** One violated rule of one forecast of a batch. */
export const ForecastBatchError = object('ForecastBatchError', {
  code: Type.Optional(Type.String({ description: 'With validate_only: code with which a submission fails' })),
  field: Type.String({ description: 'JSON path in the forecast, such as items[3].sku_code' }),
  rule: Type.String({ description: 'Short name of the rule, such as required or max_length' }),
  message: Type.String({ description: 'What is wrong and what is allowed' }),
});

/**
 * `data` of one forecast of a batch: that of a submission, of a validation, or of the failure. One schema with optional fields, because generated
 * clients handle a union of these badly.
 */
export const ForecastBatchData = object('ForecastBatchData', {
  forecast_no: Type.Optional(
    Type.String({ description: 'Accepted: number given by the platform. 40901: forecast that has the po_number' }),
  ),
  po_number: Type.Optional(Type.String({ description: 'Accepted: as submitted' })),
  item_count: Type.Optional(Type.Integer({ description: 'Accepted: number of items' })),
  status: Type.Optional(Type.Literal('ACCEPTED', { description: 'Accepted' })),
  create_time: Type.Optional(instant('Accepted: when')),
  replayed: Type.Optional(Type.Boolean({ description: 'Accepted: true when this content had been accepted before' })),
  valid: Type.Optional(Type.Boolean({ description: 'With validate_only: as in the response of `POST /open/v1/forecasts/validate`' })),
  existing_forecast_no: Type.Optional(
    nullable(Type.String({ description: 'With validate_only: as in the response of `POST /open/v1/forecasts/validate`' })),
  ),
  warnings: Type.Optional(Type.Array(Warning, { description: 'Accepted, or with validate_only: at most 100' })),
  errors: Type.Optional(
    Type.Array(ForecastBatchError, { description: '42201, 42203, or with validate_only: every violated rule, at most 100' }),
  ),
  fields: Type.Optional(Type.Array(Type.String(), { description: '40901, 42202: JSON paths of the fields, at most 100' })),
  tracking_numbers: Type.Optional(Type.Array(Type.String(), { description: '42202: numbers in use, normalised' })),
});

/** What became of one forecast of a batch. */
export const ForecastBatchResult = object('ForecastBatchResult', {
  index: Type.Integer({ minimum: 0, description: 'Place of the forecast in the request' }),
  code: Type.String({
    description: 'As of a submission of its own: "0" on success. 50000 and 50301 are worth a repeat of the same request',
  }),
  message: Type.String(),
  data: nullable(ForecastBatchData),
});
export type ForecastBatchResult = Static<typeof ForecastBatchResult>;

/** `data` of a batch. */
export const ForecastBatchResults = object('ForecastBatchResults', {
  results: Type.Array(ForecastBatchResult, { description: 'One for each forecast, in the order of the request' }),
  accepted: Type.Integer({ description: 'Results with code "0"' }),
  failed: Type.Integer({ description: 'The others' }),
  warnings: inputWarnings,
});
export type ForecastBatchResults = Static<typeof ForecastBatchResults>;
