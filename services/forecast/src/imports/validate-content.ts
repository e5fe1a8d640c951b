import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import { type CheckOptions, checkSubmission } from '../check-content.ts';
import type { ValidateForecast, Validation } from './ports.ts';

/** The faults of a refusal. */
function refused(error: unknown): Validation {
  if (!(error instanceof AppError) || error.httpStatus === 503) throw error;
  const { errors } = (error.data ?? {}) as { readonly errors?: readonly FieldError[] };
  return { errors: errors ?? [{ field: 'po_number', rule: 'refused', message: error.message }], warnings: [] };
}

/** Checks a forecast as a submission does before it looks at the forecasts that exist. */
export function createValidateForecast(checks: CheckOptions): ValidateForecast {
  return async (tenantId, body) => {
    try {
      const { refusal } = await checkSubmission(tenantId, body, checks);
      return refusal ? refused(refusal) : { errors: [], warnings: [] };
    } catch (error) {
      return refused(error);
    }
  };
}
