import type { FileReceipt } from '@parcelway/contracts/file-receipt';
import { ForecastCorrection, fixedFields } from '@parcelway/contracts/forecast-correction-api';
import { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { compileValidator } from '@parcelway/contracts/validator';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import { isForecastNo } from '@parcelway/kernel/ids';
import { type CanonicalForecast, contentHash, differences } from '../store/domain/canonical.ts';
import type { ForecastRecord } from '../store/domain/forecast.ts';
import { type VersionCondition, versionCondition } from '../store/domain/version-condition.ts';
import type { ForecastReader } from '../store/forecast-store.ts';
import type { UploadedFiles, WarehouseDirectory } from '../store/ports.ts';
import { MAX_LISTED, repeatedForecast } from './domain/resubmission.ts';
import { type ContentFiles, fileFields } from './domain/warnings.ts';
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

/** The files that a body names and the tenant has, and why the values of the body are refused: an unknown warehouse, file URLs of someone else. */
interface References {
  readonly files: ContentFiles;
  /** Also that the directory does not respond. */
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
  const references = await referencesOf(
    tenantId,
    body,
    errors.map((error) => withReason(error, body)),
    options,
  );
  return { submission: body as ForecastSubmission, ...references };
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
  const { refusals } = await referencesOf(tenantId, body, errors, options);
  return { correction: body as ForecastCorrection, condition: 'error' in version ? null : version.condition, refusals };
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

/**
 * Looks up the files and the warehouse of a body.
 * @param errors of its shape
 * @throws AppError 42201 with the errors, and that of the warehouse, when there are any. At most 100 of them come before that one
 */
async function referencesOf(
  tenantId: string,
  body: unknown,
  errors: readonly FieldError[],
  { warehouses, files }: CheckOptions,
): Promise<References> {
  const warehouse = await warehouseRefusal(body, warehouses);
  if (errors.length > 0) {
    // The known errors are worth more to the caller than that the directory does not respond.
    const unknown = warehouse !== undefined && 'field' in warehouse ? [warehouse] : [];
    throw AppError.validation([...errors.slice(0, 99), ...unknown, ...errors.slice(99)]);
  }
  const named = filesOf(tenantId, body, files);
  if (warehouse === undefined) return named;
  return { ...named, refusals: ['field' in warehouse ? AppError.validation([warehouse]) : warehouse, ...named.refusals] };
}

/** Why the warehouse of a body of any shape is refused; undefined also when the shape of its code is wrong. */
async function warehouseRefusal(body: unknown, warehouses: WarehouseDirectory): Promise<FieldError | AppError | undefined> {
  const code = (body as { readonly warehouse_code?: unknown } | null)?.warehouse_code;
  if (!warehouseCodeValidator.is(code)) return undefined;
  try {
    return (await warehouses.exists(code)) ? undefined : unknownWarehouse(code);
  } catch (error) {
    if (error instanceof AppError) return error;
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

/** The files that a body of any shape names and the tenant has, and the refusal of the others. */
export function filesOf(tenantId: string, body: unknown, uploaded: UploadedFiles): References {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const files: Partial<Record<(typeof fileFields)[number], FileReceipt>> = {};
  const foreign: string[] = [];
  for (const field of fileFields) {
    const url = fields[field];
    if (typeof url !== 'string' || !urlValidator.is(url)) continue;
    const file = uploaded.read(tenantId, url);
    if (file) files[field] = file;
    else foreign.push(field);
  }
  return { files, refusals: foreign.length === 0 ? [] : [filesRefused(foreign)] };
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

/**
 * The refusal of a content whose po_number another forecast holds: 40901 with the fields that differ.
 * @returns undefined when the content is the same: as submitted, or meanwhile by a correction
 */
export async function contentConflict(
  store: Pick<ForecastReader, 'readContent'>,
  holder: ForecastRecord,
  content: CanonicalForecast,
): Promise<AppError | undefined> {
  if (repeatedForecast(holder, contentHash(JSON.stringify(content)))) return undefined;
  const stored = await store.readContent(holder.tenantId, holder.forecastNo);
  // A holder that is gone differs in no field that could be named.
  const fields = stored === undefined ? [] : differences(stored, content, MAX_LISTED).map(({ field }) => field);
  if (stored !== undefined && fields.length === 0) return undefined;
  return new AppError('40901', undefined, { data: { forecast_no: holder.forecastNo, fields } });
}
