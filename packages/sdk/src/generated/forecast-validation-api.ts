// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

/** Forecast validation */
export interface ForecastValidation {
  /** true when a submission would be accepted now, or is a repeat of an accepted one */
  readonly valid: boolean;
  /** Forecast that was accepted with this content before; a submission returns it. null when there is none */
  readonly existing_forecast_no: string | null;
  /** At most 100; empty when valid. Whether numbers are in use is checked once the fields are valid */
  readonly errors: readonly SubmissionError[];
  /** At most 100 of the body and 20 of the query; those that a submission would return, except of numbers whose scan went elsewhere */
  readonly warnings: readonly Warning[];
}

/** Submission error */
export interface SubmissionError {
  /** Code with which a submission fails: 42201, 42202, 42203 or 40901 */
  readonly code: string;
  /** JSON path, such as items[3].sku_code */
  readonly field: string;
  /** Short name of the rule, such as required, max_length, in_use or different */
  readonly rule: string;
  /** What is wrong and what is allowed */
  readonly message: string;
}

/** Submission query */
export interface SubmissionQuery {
  /** true checks the body and stores nothing. The response is that of `POST /open/v1/forecasts/validate`; to a batch, `data` of each result has these fields. An `Idempotency-Key` is ignored then */
  readonly validate_only?: 'true' | 'false';
}
