import { ForecastSubmission } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import type { FileUrlCheck, WarehouseDirectory } from './ports.ts';

const submissionValidator = compileValidator(ForecastSubmission);
const warehouseCodeValidator = compileValidator(ForecastSubmission.properties.warehouse_code);

/** A warehouse code that is worth looking up, whatever else is wrong with the body. */
function namedWarehouse(body: unknown): string | undefined {
  if (body === null || typeof body !== 'object' || !Object.hasOwn(body, 'warehouse_code')) return undefined;
  const code = (body as { warehouse_code: unknown }).warehouse_code;
  return warehouseCodeValidator.is(code) ? code : undefined;
}

async function warehouseError(body: unknown, shapeIsWrong: boolean, warehouses: WarehouseDirectory): Promise<FieldError | undefined> {
  const code = namedWarehouse(body);
  if (code === undefined) return undefined;
  try {
    if (await warehouses.exists(code)) return undefined;
  } catch (error) {
    // What is known to be wrong is worth more to the caller than "try again".
    if (shapeIsWrong) return undefined;
    throw error;
  }
  return {
    field: 'warehouse_code',
    rule: 'unknown_warehouse',
    message: `warehouse_code ${JSON.stringify(code)} is not a warehouse in use; GET /open/v1/warehouses lists them`,
  };
}

/** A body of the right shape, and what else stands against it. */
export interface CheckedSubmission {
  readonly submission: ForecastSubmission;
  /** Depends on more than the body: an unknown warehouse, a file URL of someone else, or a directory that does not answer. */
  readonly refusal: AppError | undefined;
}

const FILES: ReadonlySet<string> = new Set(['shipping_label', 'shipping_note']);

/** A file is missed by type 2 alone: a reader who named no type, or the wrong one, is told so. */
function withReason(error: FieldError, body: unknown): FieldError {
  if (error.rule !== 'required' || !FILES.has(error.field)) return error;
  const isDefault = !Object.hasOwn(body as object, 'forecast_type');
  return { ...error, message: `${error.field} is required for forecast_type 2${isDefault ? ', the default' : ''}` };
}

function fileRefusal(tenantId: string, submission: ForecastSubmission, isFileUrl: FileUrlCheck): AppError | undefined {
  const errors: FieldError[] = [];
  for (const field of ['shipping_label', 'shipping_note'] as const) {
    const url = submission[field];
    if (url === undefined || isFileUrl(tenantId, url)) continue;
    errors.push({ field, rule: 'file_url', message: `${field} must be a URL that the upload endpoint returned to this tenant` });
  }
  return errors.length === 0 ? undefined : new AppError('42203', undefined, { data: { errors } });
}

/**
 * Checks the fields of a submission, all at once, and then its file URLs.
 * @throws AppError 42201 with every field error when the shape is wrong
 */
export async function checkSubmission(
  tenantId: string,
  body: unknown,
  ports: { readonly warehouses: WarehouseDirectory; readonly isFileUrl: FileUrlCheck },
): Promise<CheckedSubmission> {
  const errors = submissionValidator.errors(body).map((error) => withReason(error, body));
  const shapeIsWrong = errors.length > 0;
  let refusal: AppError | undefined;
  try {
    const unknown = await warehouseError(body, shapeIsWrong, ports.warehouses);
    if (unknown) refusal = AppError.validation([...errors.slice(0, 99), unknown, ...errors.slice(99)]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    refusal = error;
  }
  if (shapeIsWrong) throw refusal ?? AppError.validation(errors);
  const submission = body as ForecastSubmission;
  return { submission, refusal: refusal ?? fileRefusal(tenantId, submission, ports.isFileUrl) };
}
