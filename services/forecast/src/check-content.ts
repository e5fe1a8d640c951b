import { ForecastSubmission } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import type { FileUrlCheck, WarehouseDirectory } from './ports.ts';

const warehouseCodeValidator = compileValidator(ForecastSubmission.properties.warehouse_code);

/** What a check is made of. */
export interface CheckOptions {
  readonly warehouses: WarehouseDirectory;
  readonly isFileUrl: FileUrlCheck;
}

/** Whose values are checked by more than their shape. */
interface Content {
  readonly shipping_label?: string;
  readonly shipping_note?: string;
}

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

function fileRefusal(tenantId: string, content: Content, isFileUrl: FileUrlCheck): AppError | undefined {
  const errors: FieldError[] = [];
  for (const field of ['shipping_label', 'shipping_note'] as const) {
    const url = content[field];
    if (url === undefined || isFileUrl(tenantId, url)) continue;
    errors.push({ field, rule: 'file_url', message: `${field} must be a URL that the upload endpoint returned to this tenant` });
  }
  return errors.length === 0 ? undefined : new AppError('42203', undefined, { data: { errors } });
}

/**
 * Checks a body by what it names: a warehouse in use, files of the tenant.
 * @param errors what is wrong with its shape
 * @returns what stands against a body of the right shape; it depends on more than the body: an unknown warehouse, a file URL of someone else, or
 * a directory that does not respond
 * @throws AppError 42201 with every field error when the shape is wrong
 */
export async function checkContent(
  tenantId: string,
  body: unknown,
  errors: readonly FieldError[],
  options: CheckOptions,
): Promise<AppError | undefined> {
  const shapeIsWrong = errors.length > 0;
  let refusal: AppError | undefined;
  try {
    const unknown = await warehouseError(body, shapeIsWrong, options.warehouses);
    if (unknown) refusal = AppError.validation([...errors.slice(0, 99), unknown, ...errors.slice(99)]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    refusal = error;
  }
  if (shapeIsWrong) throw refusal ?? AppError.validation([...errors]);
  return refusal ?? fileRefusal(tenantId, body as Content, options.isFileUrl);
}
