import type { CommonMessages } from '../languages.ts';

/** One violated rule of one field, as `data.errors` of the code 42201 lists it. */
export interface FieldFault {
  /** JSON path from the body, such as `event_types[0]`; empty for the body itself. */
  readonly field: string;
  /** What is allowed, such as `must be a URL`, without the name of the field. */
  readonly message: string;
  /** Short name of the rule, such as `required`; empty when the response does not name it. */
  readonly rule?: string;
}

/** A call that failed: responded with a code of the API, or not responded in time or at all. */
export class ApiFailure extends Error {
  /** Code of the API such as `40401`; or `offline`, `timeout` or `unreadable` when there was no response of the API. */
  readonly code: string;
  /** What the platform said, in English; empty when it said nothing. */
  readonly detail: string;
  readonly faults: readonly FieldFault[];
  /** `data` of the response: of some codes it says more, such as what was done before. */
  readonly data: unknown;
  /** Seconds after which another try makes sense; undefined when the response did not say. */
  readonly retryAfterSeconds: number | undefined;
  /** Name of the request in the platform's logs; empty when there was no response. */
  readonly requestId: string;

  constructor(code: string, parts: Partial<Pick<ApiFailure, 'detail' | 'faults' | 'data' | 'retryAfterSeconds' | 'requestId'>> = {}) {
    super(`${code} ${parts.detail ?? ''}`.trim());
    this.name = 'ApiFailure';
    this.code = code;
    this.detail = parts.detail ?? '';
    this.faults = parts.faults ?? [];
    this.data = parts.data;
    this.retryAfterSeconds = parts.retryAfterSeconds;
    this.requestId = parts.requestId ?? '';
  }
}

/** The faults of a field and of what is inside it. @param field name of a field of the body, such as `event_types` */
export function faultsAt(failure: ApiFailure | undefined, field: string): readonly FieldFault[] {
  return (
    failure?.faults.filter(
      (fault) => fault.field === field || fault.field.startsWith(`${field}[`) || fault.field.startsWith(`${field}.`),
    ) ?? []
  );
}

/** Whatever was thrown as an {@link ApiFailure}. A defect of the page is thrown on: it must show in the console of the browser. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  throw error;
}

/** The faults in `data` of a response, such as a refusal or a validation. @param data with `errors`, as the API lists them */
export function fieldFaults(data: unknown): FieldFault[] {
  const errors = (data as { errors?: unknown } | null)?.errors;
  if (!Array.isArray(errors)) return [];
  return errors.map((entry: Partial<FieldFault>) => {
    const field = String(entry.field ?? '');
    const message = String(entry.message ?? '');
    // A message of the API begins with its field. The page shows that beside it.
    const rule = String(entry.rule ?? '');
    return { field, rule, message: field !== '' && message.startsWith(`${field} `) ? message.slice(field.length + 1) : message };
  });
}

export interface ReadResponse {
  readonly envelope: unknown;
  readonly retryAfter: string | null;
  readonly requestId: string | null;
}

/**
 * `data` of a response.
 * @throws ApiFailure with the code of the response; `unreadable` when it is no envelope, as from a proxy in between
 */
export function dataOf({ envelope, retryAfter, requestId }: ReadResponse): unknown {
  const { code, message, data } = (envelope ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  if (code === '0') return data;
  if (typeof code !== 'string') throw new ApiFailure('unreadable', { requestId: requestId ?? '' });
  const seconds = Number(retryAfter ?? Number.NaN);
  throw new ApiFailure(code, {
    detail: String(message ?? ''),
    faults: fieldFaults(data),
    data,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    requestId: requestId ?? '',
  });
}

type Say<Words> = (words: Words, failure: ApiFailure) => string;
type FailureWords = CommonMessages['failures'];

/** Code → what was wrong and what to do about it. The message of the platform is added where it says more. */
const sayings: Readonly<Record<string, Say<FailureWords>>> = {
  offline: (words) => words.offline,
  timeout: (words) => words.timeout,
  unreadable: (words) => words.unreadable,
  '40403': (words) => words.notFound,
  '40902': (words, { detail }) => `${words.conflict} ${detail}`.trim(),
  '42201': (words, { detail, faults }) => (faults.length > 0 ? words.fields : detail),
  '50301': (words) => words.unavailable,
};

/** A failure in a sentence or two: what it was, and what to do about it. @param own what a page says of further codes */
export function sayFailure<Words extends FailureWords>(
  failure: ApiFailure,
  words: Words,
  own: Readonly<Record<string, Say<Words>>>,
): string {
  const say = own[failure.code] ?? sayings[failure.code];
  return say === undefined ? `${words.other} ${failure.code} ${failure.detail}`.trim() : say(words, failure);
}
