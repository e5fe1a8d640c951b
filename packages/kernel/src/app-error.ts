import { type ErrorCode, errorCatalogue, httpStatusOf } from './error-codes.ts';

/** One violated rule of one field, as listed in `data.errors` of a 42201 response. */
export interface FieldError {
  /** JSON path from the body or query root, such as `items[3].sku_code`. Empty for the root itself. */
  readonly field: string;
  /** Short name of the rule: `required`, `type`, `min_length`, `max_length`, `minimum`, `maximum`, `pattern`, `format`, `enum`, `unknown`, … */
  readonly rule: string;
  /** One sentence for a person: what is wrong and what is allowed. */
  readonly message: string;
}

/** At most this many field errors are listed in one response. */
export const MAX_FIELD_ERRORS = 100;

/** How many faults there are beside the first. Beyond the list it is no exact count: collecting them ends at a limit. */
function others(count: number): string {
  if (count > MAX_FIELD_ERRORS) return ` (and at least ${count - 1} more; the first ${MAX_FIELD_ERRORS} are listed)`;
  return count > 1 ? ` (and ${count - 1} more)` : '';
}

/** Optional parts of an {@link AppError}. */
export interface AppErrorOptions {
  /** `data` of the response; an object, or null when there is nothing to add. */
  readonly data?: Readonly<Record<string, unknown>> | null;
  /** Seconds for `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Further response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying failure; logged, never shown. */
  readonly cause?: unknown;
}

/**
 * A failure with a code of the catalogue. The only error that may reach a merchant as it is; anything else
 * thrown is a defect and gets a response as 50000 without its text.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message?: string, options: AppErrorOptions = {}) {
    super(message ?? errorCatalogue[code].message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.data = options.data ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }

  /** HTTP status of this failure. */
  get httpStatus(): number {
    return httpStatusOf(this.code);
  }

  /**
   * 42201 with all its field errors (cut at {@link MAX_FIELD_ERRORS}).
   * @param errors at least one
   */
  static validation(errors: readonly FieldError[]): AppError {
    const first = errors[0];
    const message = first ? `Field validation failed: ${first.message}${others(errors.length)}` : undefined;
    return new AppError('42201', message, { data: { errors: errors.slice(0, MAX_FIELD_ERRORS) } });
  }

  /** 50301: a dependency is out for now. */
  static unavailable(message: string, cause?: unknown, retryAfterSeconds = 1): AppError {
    return new AppError('50301', message, { cause, retryAfterSeconds });
  }
}

/** The error as an {@link AppError}: itself, or 50000 around whatever was thrown. */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('50000', undefined, { cause: error });
}

/** True when a decoded `data` member can be carried by an {@link AppError}: an object. */
export function isAppErrorData(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
