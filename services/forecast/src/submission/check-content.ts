import type { FileReceipt } from '@parcelway/contracts/file-receipt';
import { ForecastCorrection, fixedFields } from '@parcelway/contracts/forecast-correction-api';
import { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { compileValidator } from '@parcelway/contracts/validator';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import { isForecastNo } from '@parcelway/kernel/ids';
import type { CanonicalForecast } from '../store/domain/canonical.ts';
import { type VersionCondition, versionCondition } from '../store/domain/version-condition.ts';
import type { UploadedFiles, WarehouseDirectory } from '../store/ports.ts';
import { type ContentFiles, fileFields } from './domain/file-warnings.ts';
import { MAX_LISTED } from './domain/resubmission.ts';
import type { NumberLimits } from './number-limits.ts';

const submissionValidator = compileValidator(ForecastSubmission);
const correctionValidator = compileValidator(ForecastCorrection);
const urlValidator = compileValidator(ForecastCorrection.properties.shipping_label);
const warehouseCodeValidator = compileValidator(ForecastSubmission.properties.warehouse_code);

export interface CheckOptions {
  readonly warehouses: WarehouseDirectory;
  readonly files: UploadedFiles;
  readonly numberLimits: Pick<NumberLimits, 'refusals' | 'reserve'>;
}

type FileFields = Pick<ForecastCorrection, (typeof fileFields)[number]>;

interface References {
  /** The files that it names and the tenant has. */
  readonly files: ContentFiles;
  /** Why its values are refused all the same: an unknown warehouse or a directory that does not respond, file URLs of someone else. */
  readonly refusals: readonly AppError[];
}

export interface CheckedSubmission extends References {
  readonly submission: ForecastSubmission;
}

export interface CheckedCorrection extends Pick<References, 'refusals'> {
  readonly correction: ForecastCorrection;
  readonly condition: VersionCondition;
}

/**
 * Checks a submission: its fields, then what they refer to.
 * @throws AppError 42201 with every field error when the shape is wrong
 */
export async function checkSubmission(tenantId: string, body: unknown, options: CheckOptions): Promise<CheckedSubmission> {
  const errors = [...submissionValidator.errors(body), ...forecastNumberErrors(body)];
  if (errors.length > 0) {
    const explained = errors.map((error) => withReason(error, body));
    throw AppError.validation(await withWarehouseError(explained, body, options.warehouses));
  }
  const submission = body as ForecastSubmission;
  return { submission, ...(await referencesOf(tenantId, submission, options)) };
}

/**
 * Checks a correction: the header If-Match and the fields, then what the fields refer to.
 * @throws AppError 42201 with every error when header or shape is wrong
 */
export async function checkCorrection(
  tenantId: string,
  body: unknown,
  ifMatch: string | undefined,
  options: CheckOptions,
): Promise<CheckedCorrection> {
  const version = versionCondition(ifMatch);
  const headerErrors = 'error' in version ? [version.error] : [];
  const errors = [...headerErrors, ...fixedFieldErrors(body), ...correctionValidator.errors(body), ...forecastNumberErrors(body)];
  if (errors.length > 0) throw AppError.validation(await withWarehouseError(errors, body, options.warehouses));
  const correction = body as ForecastCorrection;
  const { refusals } = await referencesOf(tenantId, correction, options);
  return { correction, condition: 'error' in version ? null : version.condition, refusals };
}

/** Logistics numbers in the form of a forecast_no: whoever scans a label of the platform would find the wrong forecast. */
function forecastNumberErrors(body: unknown): FieldError[] {
  const items = (body as { readonly items?: unknown } | null)?.items;
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: { readonly tracking_number?: unknown } | null, index) => {
    const number = item?.tracking_number;
    if (typeof number !== 'string' || !isForecastNo(normaliseTrackingNumber(number))) return [];
    const field = `items[${index}].tracking_number`;
    const message = `${field} has the form of a forecast_no of the platform; send the carrier's number of the parcel`;
    return [{ field, rule: 'forecast_no', message }];
  });
}

/** Type 2 alone requires its files: the message says so to a caller who named no type, or the wrong one. */
function withReason(error: FieldError, body: unknown): FieldError {
  if (error.rule !== 'required' || !fileFields.some((field) => field === error.field)) return error;
  const isDefault = !Object.hasOwn(body as object, 'forecast_type');
  return { ...error, message: `${error.field} is required for forecast_type 2${isDefault ? ', the default' : ''}` };
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

/** The errors of a body of the wrong shape, with that of its warehouse. At most 100 of them come before that one. */
async function withWarehouseError(
  errors: readonly FieldError[],
  body: unknown,
  warehouses: WarehouseDirectory,
): Promise<readonly FieldError[]> {
  if (body === null || typeof body !== 'object' || !Object.hasOwn(body, 'warehouse_code')) return errors;
  const code = (body as { warehouse_code: unknown }).warehouse_code;
  if (!warehouseCodeValidator.is(code)) return errors;
  try {
    return (await warehouses.exists(code)) ? errors : [...errors.slice(0, 99), unknownWarehouse(code), ...errors.slice(99)];
  } catch (error) {
    // The known errors are worth more to the caller than "try again".
    if (error instanceof AppError) return errors;
    throw error;
  }
}

function unknownWarehouse(code: string): FieldError {
  return {
    field: 'warehouse_code',
    rule: 'unknown_warehouse',
    message: `warehouse_code ${JSON.stringify(code)} is not a warehouse in use; GET /open/v1/warehouses lists them`,
  };
}

/** The files that a content names and the tenant has. */
export function readFiles(tenantId: string, content: FileFields, files: UploadedFiles): ContentFiles {
  const found: Partial<Record<keyof FileFields, FileReceipt>> = {};
  for (const field of fileFields) {
    const url = content[field];
    const file = url === undefined ? undefined : files.read(tenantId, url);
    if (file) found[field] = file;
  }
  return found;
}

/** The refusal of file URLs in a body of the wrong shape; none when it names no file of somebody else. */
export function fileRefusals(tenantId: string, body: unknown, files: UploadedFiles): readonly AppError[] {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const foreign = fileFields.filter((field) => {
    const url = fields[field];
    return typeof url === 'string' && urlValidator.is(url) && files.read(tenantId, url) === undefined;
  });
  return foreign.length === 0 ? [] : [filesRefused(foreign)];
}

/** Looks up the files and the warehouse of a body of the right shape. */
async function referencesOf(
  tenantId: string,
  body: FileFields & Pick<ForecastCorrection, 'warehouse_code'>,
  { warehouses, files }: CheckOptions,
): Promise<References> {
  const found = readFiles(tenantId, body, files);
  const missing = fileFields.filter((field) => body[field] !== undefined && found[field] === undefined);
  const byWarehouse = await warehouseRefusal(body.warehouse_code, warehouses);
  return { files: found, refusals: [...byWarehouse, ...(missing.length === 0 ? [] : [filesRefused(missing)])] };
}

async function warehouseRefusal(code: string | undefined, warehouses: WarehouseDirectory): Promise<readonly AppError[]> {
  try {
    return code === undefined || (await warehouses.exists(code)) ? [] : [AppError.validation([unknownWarehouse(code)])];
  } catch (error) {
    if (error instanceof AppError) return [error];
    throw error;
  }
}

function filesRefused(fields: readonly string[]): AppError {
  const errors: FieldError[] = fields.map((field) => ({
    field,
    rule: 'file_url',
    message: `${field} must be a URL that the upload endpoint returned to this tenant`,
  }));
  return new AppError('42203', undefined, { data: { errors } });
}

/**
 * The refusal of logistics numbers that other forecasts hold: 42202 with the numbers and the fields that have them. The rule is in
 * ../store/domain/held-numbers.ts.
 */
export function numbersTaken(content: CanonicalForecast, taken: readonly string[]): AppError {
  const inUse = new Set(taken);
  const fields = content.items.flatMap((item, index) =>
    item.tracking_number !== undefined && inUse.has(item.tracking_number) ? [`items[${index}].tracking_number`] : [],
  );
  const data = { tracking_numbers: taken.slice(0, MAX_LISTED), fields: fields.slice(0, MAX_LISTED) };
  return new AppError('42202', undefined, { data });
}
