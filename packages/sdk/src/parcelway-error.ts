/** A fault of one field of a request. */
export interface FieldError {
  /** Path of the field, such as `items[0].sku_code`. */
  readonly field: string;
  /** Rule that it breaks, such as `required`. */
  readonly rule: string;
  /** A sentence for people. */
  readonly message: string;
}

/** What is known of a failed call. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly httpStatus: number | null;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

function fieldErrorsOf(data: Failure['data']): readonly FieldError[] {
  return Array.isArray(data?.['errors']) ? (data['errors'] as FieldError[]) : [];
}

function sentenceOf(failure: Failure): string {
  const { code, message, requestId } = failure;
  const fields = fieldErrorsOf(failure.data).map((error) => `\n  - ${error.message}`);
  return `${message} (${code}${requestId ? `, request ${requestId}` : ''})${fields.join('')}`;
}

/** A call that failed: what the platform responded, or {@link ParcelwayConnectionError} when it did not respond. */
export class ParcelwayError extends Error {
  override readonly name: string = 'ParcelwayError';
  /** Code of the platform, such as `42201`; `unexpected_answer` when the response did not come from a Parcelway platform. */
  readonly code: string;
  /** Null when there was no response. */
  readonly httpStatus: number | null;
  /** Every fault of the body or query at once; empty when the failure is of another kind. */
  readonly errors: readonly FieldError[];
  /** What the code says more, such as `fields` and `forecast_no` of 40901; null when nothing. */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** The id of the request, for the operator of the platform; null when there was no response. */
  readonly requestId: string | null;
  /** Seconds after which the platform asks to be called again; null when it does not say. */
  readonly retryAfter: number | null;

  constructor(failure: Failure) {
    super(sentenceOf(failure), failure.cause === undefined ? undefined : { cause: failure.cause });
    this.code = failure.code;
    this.httpStatus = failure.httpStatus;
    this.errors = fieldErrorsOf(failure.data);
    this.data = failure.data ?? null;
    this.requestId = failure.requestId ?? null;
    this.retryAfter = failure.retryAfter ?? null;
  }

  /** True when the same call may succeed later: too many requests, a part of the platform is out, no response. */
  get isPassing(): boolean {
    return this.httpStatus === 429 || [502, 503, 504].includes(this.httpStatus ?? 0);
  }
}

/** Why there was no response. */
export type ConnectionFailure = 'unreachable' | 'untrusted_certificate' | 'connection_lost' | 'timeout';

/** A call without a response. `code` says why; whether the platform acted on it is known for `unreachable` and `untrusted_certificate` alone: it did not. */
export class ParcelwayConnectionError extends ParcelwayError {
  override readonly name = 'ParcelwayConnectionError';

  constructor(code: ConnectionFailure, message: string, cause?: unknown) {
    super({ code, message, httpStatus: null, cause });
  }

  override get isPassing(): boolean {
    return this.code !== 'untrusted_certificate';
  }
}

/** Errors of Node after which nothing has left this machine. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);
/** Errors of Node about a certificate that no known authority has signed, or that is for another name. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ERR_TLS_CERT/;

/** What a failed connection is to a caller. @param origin such as `https://localhost:8443` */
export function connectionErrorOf(cause: unknown, origin: string): ParcelwayConnectionError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (UNSENT.has(code)) {
    return new ParcelwayConnectionError('unreachable', `Cannot reach the platform at ${origin} (${code}); check baseUrl`, cause);
  }
  if (UNTRUSTED.test(code)) {
    const todo = 'pass the certificate of its authority as `ca`; for a local installation, ca_file in quickstart.json names the file';
    return new ParcelwayConnectionError('untrusted_certificate', `The certificate of ${origin} is not trusted (${code}): ${todo}`, cause);
  }
  return new ParcelwayConnectionError(
    'connection_lost',
    `The connection to ${origin} ended before the response (${code || message})`,
    cause,
  );
}
