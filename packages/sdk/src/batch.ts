import type {
  ForecastAcceptance,
  ForecastBatch,
  ForecastBatchData,
  ForecastBatchResults,
  ForecastSubmission,
  ForecastValidation,
} from './generated/types.ts';
import type { FieldError } from './parcelway-error.ts';

/** The body of a batch: as it is, or made of a list of forecasts. */
export const batchOf = (forecasts: readonly ForecastSubmission[] | ForecastBatch): ForecastBatch =>
  'forecasts' in forecasts ? forecasts : { forecasts: [...forecasts] };

/** A forecast of a batch that was accepted. */
export interface AcceptedForecast extends ForecastAcceptance {
  /** True when this content had been accepted before. */
  readonly replayed?: boolean;
}

/** A forecast of a batch that was refused. */
export interface FailedForecast {
  /** Its place in the list that was sent, from 0. */
  readonly index: number;
  /** Code of the platform, such as `42201`; 50000 and 50301 are worth a repeat. */
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
  /** Every fault of the forecast at once; empty when the failure is of another kind. */
  readonly errors: readonly FieldError[];
  /** What the code says more, such as `fields` and `forecast_no` of 40901. */
  readonly data: ForecastBatchData;
}

/** The forecasts of a submitted batch that were accepted, in their order. Those of a validation accept nothing. */
export function acceptedForecasts({ results }: ForecastBatchResults): AcceptedForecast[] {
  return results.flatMap(({ code, data }) => (code === '0' && data?.forecast_no !== undefined ? [data as AcceptedForecast] : []));
}

/** The forecasts of a batch that failed, in their order. */
export function failedForecasts({ results }: ForecastBatchResults): FailedForecast[] {
  return results
    .filter(({ code }) => code !== '0')
    .map(({ index, code, message, data }) => ({ index, code, message, errors: data?.errors ?? [], data: data ?? {} }));
}

/** The validation of each forecast of a batch, in their order; null for one that could not be validated. */
export function validatedForecasts({ results }: ForecastBatchResults): (ForecastValidation | null)[] {
  return results.map(({ data }) => (data?.valid === undefined ? null : (data as ForecastValidation)));
}
