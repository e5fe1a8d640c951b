import type { SubmissionError } from '@parcelway/contracts/forecast-validation-api';
import type { AppError, FieldError } from '@parcelway/kernel/app-error';
import type { ForecastRecord } from '../../store/domain/forecast.ts';
import { holdsPoNumber } from '../../store/domain/held-numbers.ts';

/** At most so many paths or numbers are listed in a refusal. */
export const MAX_LISTED = 100;

/**
 * The forecast that a submission repeats: the one that holds its po_number, if its content is the same.
 * @param holder undefined when no forecast has the po_number
 */
export function repeatedForecast(holder: ForecastRecord | undefined, contentHash: string): ForecastRecord | undefined {
  return holder && holdsPoNumber(holder.status) && holder.contentHash === contentHash ? holder : undefined;
}

/** `data` of the refusals of a submission. */
interface RefusalData {
  readonly errors?: readonly FieldError[];
  readonly fields?: readonly string[];
  readonly forecast_no?: string;
}

/**
 * The fields that a refusal of a submission names, each with its code.
 * @param refusal 42201, 42202, 42203 or 40901
 * @returns at least one
 */
export function submissionErrors(refusal: AppError): readonly SubmissionError[] {
  const { code, message, data } = refusal;
  const { errors, fields = [], forecast_no: forecastNo } = (data ?? {}) as RefusalData;
  if (errors !== undefined) return errors.map((error) => ({ code, ...error }));
  if (code === '42202') {
    return fields.map((field) => ({ code, field, rule: 'in_use', message: `${field} is in use by another live forecast` }));
  }
  // A holder whose content cannot be read any more differs in no field that could be named.
  const named = fields.length > 0 ? fields : ['po_number'];
  const where = forecastNo === undefined ? message : `the forecast ${forecastNo}, which has this po_number`;
  return named.map((field) => ({ code, field, rule: 'different', message: `${field} differs from ${where}` }));
}
