import { ForecastCorrection, fixedFields } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import type { AppError, FieldError } from '@parcelway/kernel/app-error';
import { type CheckOptions, checkContent } from './check-content.ts';
import { type VersionCondition, versionCondition } from './domain/version-condition.ts';

const correctionValidator = compileValidator(ForecastCorrection);

/** A correction of the right shape, and what else stands against it. */
export interface CheckedCorrection {
  readonly correction: ForecastCorrection;
  readonly condition: VersionCondition;
  /** See {@link checkContent}. */
  readonly refusal: AppError | undefined;
}

/** Fields that make a forecast another one: a caller who sends them expects something that a correction cannot do. */
function fixedFieldErrors(body: unknown): FieldError[] {
  if (body === null || typeof body !== 'object') return [];
  return fixedFields
    .filter((field) => Object.hasOwn(body, field))
    .map((field) => ({
      field,
      rule: 'not_correctable',
      message: `${field} cannot be corrected: leave it out, or cancel the forecast and submit another`,
    }));
}

/**
 * Checks the header If-Match and the fields of a correction, all at once, and then its file URLs.
 * @throws AppError 42201 with every error when header or shape is wrong
 */
export async function checkCorrection(
  tenantId: string,
  body: unknown,
  ifMatch: string | undefined,
  options: CheckOptions,
): Promise<CheckedCorrection> {
  const version = versionCondition(ifMatch);
  const errors = [...('error' in version ? [version.error] : []), ...fixedFieldErrors(body), ...correctionValidator.errors(body)];
  const refusal = await checkContent(tenantId, body, errors, options);
  return { correction: body as ForecastCorrection, condition: 'error' in version ? null : version.condition, refusal };
}
