import type { SubmissionError } from '@parcelway/contracts/forecast-validation-api';
import type { AppError, FieldError } from '@parcelway/kernel/app-error';

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
