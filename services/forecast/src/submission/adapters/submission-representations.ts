import type { ForecastBatchResult, ForecastBatchResults } from '@parcelway/contracts/forecast-batch-api';
import type { CorrectedForecast as CorrectedForecastData } from '@parcelway/contracts/forecast-correction-api';
import type { ForecastQueryResult, QueriedForecast } from '@parcelway/contracts/forecast-query-api';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import type { ForecastValidation } from '@parcelway/contracts/forecast-validation-api';
import { AppError, toAppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import { type DetailOptions, detailData, summaryData, untrackedData, weighingData } from '../../lists/adapters/representations.ts';
import { isShipped } from '../../lists/domain/is-shipped.ts';
import type { FoundForecast } from '../../lists/query-forecasts.ts';
import type { CorrectedForecast } from '../correct-forecast.ts';
import type { Outcome } from '../submit-batch.ts';
import type { Acceptance } from '../submit-forecast.ts';
import type { Validation } from '../validate-forecast.ts';

/*
 * The responses to submissions, corrections and validations, one or many, in the terms of the API.
 */

type ResultData = NonNullable<ForecastBatchResult['data']>;

/** `data` of a validation. */
export function validationData({ existing, errors, warnings }: Validation): ForecastValidation {
  return {
    valid: errors.length === 0,
    existing_forecast_no: existing?.forecastNo ?? null,
    errors: [...errors],
    warnings: [...warnings],
  };
}

/** `data` of an accepted submission. */
export function acceptanceData(acceptance: Acceptance): ForecastAcceptance {
  return {
    forecast_no: acceptance.forecastNo,
    po_number: acceptance.poNumber,
    item_count: acceptance.itemCount,
    status: 'ACCEPTED',
    create_time: isoInstant(acceptance.createdAt),
    warnings: [...acceptance.warnings],
  };
}

/** `data` of a correction. */
export function correctedData(forecast: CorrectedForecast, options: DetailOptions): CorrectedForecastData {
  return { ...detailData(forecast, options), warnings: [...forecast.warnings] };
}

export const acceptedResult = (acceptance: Acceptance): ResultData => ({ ...acceptanceData(acceptance), replayed: acceptance.replayed });

function resultOf<D>(index: number, outcome: Outcome<D>): { index: number; code: string; message: string; data: D | null } {
  if (outcome.kind === 'done') return { index, code: '0', message: 'success', data: outcome.result };
  const { code, message, data } = toAppError(outcome.error);
  return { index, code, message, data: data as D | null };
}

/** `data` of a batch. */
export function batchData<T>(outcomes: readonly Outcome<T>[], dataOf: (result: T) => ResultData): ForecastBatchResults {
  const results = outcomes.map((outcome, index) =>
    resultOf<ResultData>(index, outcome.kind === 'done' ? { kind: 'done', result: dataOf(outcome.result) } : outcome),
  );
  const accepted = results.filter(({ code }) => code === '0').length;
  return { results, accepted, failed: results.length - accepted, warnings: [] };
}

/** One result of a query of many. @param include parts that were asked for */
export function queryResult(
  index: number,
  found: FoundForecast | undefined,
  include: ReadonlySet<string>,
  detail: DetailOptions,
): ForecastQueryResult {
  return resultOf(
    index,
    found ? { kind: 'done', result: queriedData(found, include, detail) } : { kind: 'failed', error: new AppError('40401') },
  );
}

function queriedData({ record, tracking }: FoundForecast, include: ReadonlySet<string>, detail: DetailOptions): QueriedForecast {
  const untracked = untrackedData(record.poNumber, record);
  return {
    ...summaryData(record),
    ...(include.has('weighing') && { weighing: weighingData(record, detail) }),
    // Another service follows the parcel; what this one has shown of its status holds there, too.
    ...(include.has('tracking') && {
      tracking: tracking ? { ...tracking, po_number: record.poNumber, is_shipped: tracking.is_shipped || isShipped(record) } : untracked,
    }),
  };
}
