// Made from the contract by `npm run docs`; do not edit.
import type { ForecastSubmission } from './forecast-submission-api.ts';
import type { Warning } from './warnings.ts';

/** Batch of forecasts */
export interface ForecastBatch {
  /** Forecasts, each as in a submission of its own */
  readonly forecasts: readonly ForecastSubmission[];
}

/** Forecast batch data */
export interface ForecastBatchData {
  /** Accepted: number given by the platform. 40901: forecast that has the po_number */
  readonly forecast_no?: string;
  /** Accepted: as submitted */
  readonly po_number?: string;
  /** Accepted: number of items */
  readonly item_count?: number;
  /** Accepted */
  readonly status?: 'ACCEPTED';
  /** Accepted: when */
  readonly create_time?: string;
  /** Accepted: true when this content had been accepted before */
  readonly replayed?: boolean;
  /** With validate_only: as in the response of `POST /open/v1/forecasts/validate` */
  readonly valid?: boolean;
  /** With validate_only: as in the response of `POST /open/v1/forecasts/validate` */
  readonly existing_forecast_no?: string | null;
  /** Accepted, or with validate_only: at most 100 */
  readonly warnings?: readonly Warning[];
  /** 42201, 42203, or with validate_only: every violated rule, at most 100 */
  readonly errors?: readonly ForecastBatchError[];
  /** 40901, 42202: JSON paths of the fields, at most 100 */
  readonly fields?: readonly string[];
  /** 42202: numbers in use, normalised */
  readonly tracking_numbers?: readonly string[];
}

/** Forecast batch error */
export interface ForecastBatchError {
  /** With validate_only: code with which a submission fails */
  readonly code?: string;
  /** JSON path in the forecast, such as items[3].sku_code */
  readonly field: string;
  /** Short name of the rule, such as required or max_length */
  readonly rule: string;
  /** What is wrong and what is allowed */
  readonly message: string;
}

/** Forecast batch result */
export interface ForecastBatchResult {
  /** Place of the forecast in the request */
  readonly index: number;
  /** As of a submission of its own: "0" on success. 50000 and 50301 are worth a repeat of the same request */
  readonly code: string;
  readonly message: string;
  readonly data: ForecastBatchData | null;
}

/** Forecast batch results */
export interface ForecastBatchResults {
  /** One for each forecast, in the order of the request */
  readonly results: readonly ForecastBatchResult[];
  /** Results with code "0" */
  readonly accepted: number;
  /** The others */
  readonly failed: number;
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}
