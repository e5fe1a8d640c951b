import type { SubmissionError } from '@parcelway/contracts/forecast-validation-api';
import type { Warning } from '@parcelway/contracts/warnings';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { type CanonicalForecast, canonicalForecast, countedNumbersOf } from '../store/domain/canonical.ts';
import type { ForecastRecord } from '../store/domain/forecast.ts';
import { claimsOf, holdsPoNumber } from '../store/domain/held-numbers.ts';
import type { ForecastReader } from '../store/forecast-store.ts';
import { type CheckedSubmission, type CheckOptions, checkSubmission, contentConflict, filesOf, numbersTaken } from './check-content.ts';
import { MAX_LISTED, submissionErrors } from './domain/resubmission.ts';
import { bodyFieldWarnings, MAX_WARNINGS, submissionWarnings, submittedAgain } from './domain/warnings.ts';

export interface Validation {
  /** The accepted forecast that already has this content. */
  readonly existing: Pick<ForecastRecord, 'forecastNo'> | undefined;
  /** At most 100; a submission is accepted when there is none. */
  readonly errors: readonly SubmissionError[];
  readonly warnings: readonly Warning[];
  /** Undefined when the body has the wrong shape. */
  readonly content: CanonicalForecast | undefined;
}

export interface ValidateForecastOptions extends CheckOptions {
  readonly store: ForecastReader;
  readonly clock: Clock;
}

export type ValidateForecast = ReturnType<typeof createValidateForecast>;

/**
 * The use case of a validation: all errors that a submission could meet one after the other. The numbers are compared with other forecasts once
 * the fields are valid, because the content of a forecast is not known before. It stores nothing and claims no number.
 * @throws AppError 50301 when something that the result depends on does not respond
 */
export function createValidateForecast(options: ValidateForecastOptions) {
  return async (tenantId: string, body: unknown): Promise<Validation> => {
    const checked = await checkedOrRefused(tenantId, body, options);
    if (checked instanceof AppError) {
      const refusals = [checked, ...filesOf(tenantId, body, options.files).refusals];
      const errors = refusals.flatMap(submissionErrors).slice(0, MAX_LISTED);
      return { existing: undefined, errors, warnings: bodyFieldWarnings(body, options.clock.now()), content: undefined };
    }
    return validationOf(tenantId, checked, options);
  };
}

async function checkedOrRefused(tenantId: string, body: unknown, options: CheckOptions): Promise<CheckedSubmission | AppError> {
  try {
    return await checkSubmission(tenantId, body, options);
  } catch (error) {
    if (error instanceof AppError && error.code === '42201') return error;
    throw error;
  }
}

async function validationOf(
  tenantId: string,
  { submission, files, refusals }: CheckedSubmission,
  { store, clock, files: uploaded, numberLimits }: ValidateForecastOptions,
): Promise<Validation> {
  const content = canonicalForecast(submission);
  // Which numbers were scanned for others is for who declares them: a validation costs nothing, and would show it to anybody who guesses.
  const warned = { content, files, namesAny: uploaded.namesAny, scannedElsewhere: new Set<string>() };
  const ofContent = submissionWarnings(submission, warned, clock.now());
  const known = await store.findByPoNumber(tenantId, content.po_number);
  const holder = known && holdsPoNumber(known.status) ? known : undefined;
  // A submission does not look for it: that would be one more read for each.
  const warnings = known && holder === undefined ? [submittedAgain, ...ofContent].slice(0, MAX_WARNINGS) : ofContent;
  const conflict = holder && (await contentConflict(store, holder, content));
  // What was accepted stays accepted, also when its warehouse has been closed in the meantime.
  if (holder !== undefined && conflict === undefined) return { existing: holder, errors: [], warnings, content };
  const temporary = refusals.find(({ code }) => code === '50301');
  if (temporary) throw temporary;
  const taken = await store.findHeldNumbers(tenantId, claimsOf(content), holder?.forecastNo);
  const conflicts = [
    ...refusals,
    ...numberLimits.refusals(tenantId, countedNumbersOf(content).length),
    ...(taken.length > 0 ? [numbersTaken(content, taken)] : []),
    ...(conflict ? [conflict] : []),
  ];
  return { existing: undefined, errors: conflicts.flatMap(submissionErrors).slice(0, MAX_LISTED), warnings, content };
}
