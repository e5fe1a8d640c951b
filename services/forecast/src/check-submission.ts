import { ForecastSubmission } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import type { AppError, FieldError } from '@parcelway/kernel/app-error';
import { type CheckOptions, checkContent } from './check-content.ts';

const submissionValidator = compileValidator(ForecastSubmission);

/** A body of the right shape, and what else stands against it. */
export interface CheckedSubmission {
  readonly submission: ForecastSubmission;
  /** See {@link checkContent}. */
  readonly refusal: AppError | undefined;
}

const FILES: ReadonlySet<string> = new Set(['shipping_label', 'shipping_note']);

/** A file is missed by type 2 alone: a reader who named no type, or the wrong one, gets the reason. */
function withReason(error: FieldError, body: unknown): FieldError {
  if (error.rule !== 'required' || !FILES.has(error.field)) return error;
  const isDefault = !Object.hasOwn(body as object, 'forecast_type');
  return { ...error, message: `${error.field} is required for forecast_type 2${isDefault ? ', the default' : ''}` };
}

/**
 * Checks the fields of a submission, all at once, and then its file URLs.
 * @throws AppError 42201 with every field error when the shape is wrong
 */
export async function checkSubmission(tenantId: string, body: unknown, options: CheckOptions): Promise<CheckedSubmission> {
  const errors = submissionValidator.errors(body).map((error) => withReason(error, body));
  const refusal = await checkContent(tenantId, body, errors, options);
  return { submission: body as ForecastSubmission, refusal };
}
