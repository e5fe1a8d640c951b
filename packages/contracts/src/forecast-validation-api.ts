import Type, { type Static } from 'typebox';
import { object, titled } from './object.ts';
import { nullable, oneOf } from './text.ts';
import { Warning } from './warnings.ts';

/** Query of the submissions. */
export const SubmissionQuery = object('SubmissionQuery', {
  validate_only: Type.Optional(
    oneOf(
      ['true', 'false'],
      'true checks the body and stores nothing. The response is that of `POST /open/v1/forecasts/validate`; to a batch, `data` of each result has these fields. An `Idempotency-Key` is ignored then',
    ),
  ),
});

/** Why a submission would be refused, for one field. */
export const SubmissionError = object('SubmissionError', {
  code: Type.String({ description: 'Code with which a submission fails: 42201, 42202, 42203 or 40901' }),
  field: Type.String({ description: 'JSON path, such as items[3].sku_code' }),
  rule: Type.String({ description: 'Short name of the rule, such as required, max_length, in_use or different' }),
  message: Type.String({ description: 'What is wrong and what is allowed' }),
});
export type SubmissionError = Static<typeof SubmissionError>;

/** `data` of a validation: what a submission of the same body would meet now. */
export const ForecastValidation = titled('ForecastValidation', 'Forecast validation', {
  valid: Type.Boolean({ description: 'true when a submission would be accepted now, or is a repeat of an accepted one' }),
  existing_forecast_no: nullable(
    Type.String({ description: 'Forecast that already has this content; a submission returns it. null when no forecast has it' }),
  ),
  errors: Type.Array(SubmissionError, {
    description: 'At most 100; empty when valid. Whether numbers are in use is checked once the fields are valid',
  }),
  warnings: Type.Array(Warning, {
    description:
      'At most 100 of the body and 20 of the query; those that a submission would return, except of numbers whose scan went elsewhere',
  }),
});
export type ForecastValidation = Static<typeof ForecastValidation>;
