import { type ErrorCode, errorCatalogue, errorCodes, httpStatusOf } from '@parcelway/kernel/error-codes';
import { exampleParcel } from './example-parcel.ts';
import type { JsonObject } from './openapi-schemas.ts';
import { idempotencyErrors, type RouteDefinition } from './route.ts';

const text = (description: string): JsonObject => ({ type: 'string', description });
const list = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description });

/**
 * Schemas of a failure. One for all codes: a client generated from the document has one class to read. Which fields of `data` a
 * code always has is in `x-error-codes` of the response.
 */
export const errorSchemas: JsonObject = {
  ErrorEnvelope: {
    type: 'object',
    description: 'A failure, whatever its HTTP status',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'string', pattern: '^[1-9][0-9]{4}$', description: 'Branch on this. Handle an unknown code by its HTTP status' },
      message: text('For people; may say more than the text of the catalogue'),
      data: { anyOf: [{ $ref: '#/components/schemas/ErrorData' }, { type: 'null' }] },
    },
  },
  ErrorData: {
    type: 'object',
    description: 'Details of a failure. The fields depend on the code; more may be added',
    properties: {
      errors: {
        type: 'array',
        items: { $ref: '#/components/schemas/FieldError' },
        description: '42201, 42203: every violated rule at once, at most 100',
      },
      forecast_no: text(
        '40901: the forecast that has this po_number; absent when `header` is the reason. 40902: the forecast that has the event already',
      ),
      header: text('40901, 40902: the header `Idempotency-Key`, when it is the reason'),
      fields: list(
        '40901: JSON paths of the fields that differ, at most 100; empty when `header` is the reason. 42202: JSON paths of the fields that hold the numbers',
      ),
      tracking_numbers: list('42202: numbers in use, normalised'),
      status: { type: 'integer', description: '40902: status of the forecast that prevents the change' },
      status_name: text('40902: the same status as a string'),
      action: text('40902: `claim` or `dismiss`: how the event was resolved earlier; `forecast_no` or `reason` has the details'),
      reason: text('40902: reason of the earlier dismissal'),
      used_by: {
        type: 'array',
        items: { $ref: '#/components/schemas/FileUse' },
        description: '40902: forecasts that name the file, at most 20',
      },
      used_by_count: { type: 'integer', description: '40902: how many they are, counted up to 1000' },
      version: { type: 'integer', description: '41201: version that the forecast has' },
      limit: { type: 'integer', description: '42901: requests that the key may send at once' },
      retry_after_seconds: { type: 'integer', description: '42901: as in Retry-After' },
    },
  },
  FieldError: {
    type: 'object',
    required: ['field', 'rule', 'message'],
    properties: {
      field: text('JSON path, such as items[3].sku_code'),
      rule: text('Short name of the rule, such as required or max_length'),
      message: text('What is wrong and what is allowed'),
    },
  },
};

interface ErrorDetails {
  /** Fields that `data` always has; none when it may be null, too. */
  readonly always: readonly string[];
  readonly example: JsonObject;
}

const fieldErrors = (field: string, rule: string, sentence: string): ErrorDetails => ({
  always: ['errors'],
  example: { errors: [{ field, rule, message: `${field} ${sentence}` }] },
});

/** Code → what it carries in `data`; any other carries null. */
const details: { readonly [C in ErrorCode]?: ErrorDetails } = {
  '40901': {
    always: ['fields'],
    example: { forecast_no: exampleParcel.forecastNo, fields: ['due_date', 'items[0].forecast_quantity'] },
  },
  '40902': { always: [], example: { status: 2, status_name: 'ARRIVED' } },
  '41201': { always: ['version'], example: { version: 3 } },
  '42201': fieldErrors('po_number', 'required', 'is required'),
  '42202': {
    always: ['tracking_numbers', 'fields'],
    example: { tracking_numbers: [exampleParcel.trackingNumber], fields: ['items[0].tracking_number'] },
  },
  '42203': fieldErrors('shipping_label', 'file_url', 'must be a URL that the upload endpoint returned to this tenant'),
  '42205': fieldErrors('file', 'extension', 'must have a name that ends in .pdf'),
  '42901': { always: ['limit', 'retry_after_seconds'], example: { limit: 200, retry_after_seconds: 1 } },
};

/** Failures that any route may have. */
const everywhere: readonly ErrorCode[] = ['40002', '50000', '50301'];
/** Failures of any route that needs a key. */
const withKey: readonly ErrorCode[] = ['40101', '40003', '40301', '42901'];

/** Every code with which a route may fail, ascending. */
export function errorCodesOf(route: RouteDefinition): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([...everywhere, ...route.errors]);
  if (route.access !== 'public') for (const code of withKey) codes.add(code);
  if (route.access === 'tenant') codes.add('40302');
  if (route.idempotencyKey) for (const code of idempotencyErrors) codes.add(code);
  return errorCodes.filter((code) => codes.has(code));
}

/** HTTP status → its name in the names of components (RFC 9110, RFC 6585). */
const statusNames: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

function exampleOf(code: ErrorCode): JsonObject {
  const { message } = errorCatalogue[code];
  const data = details[code]?.example ?? null;
  const first = (data?.errors as { readonly message: string }[] | undefined)?.[0];
  return { code, message: code === '42201' && first ? `${message}: ${first.message}` : message, data };
}

function response(status: number, codes: readonly ErrorCode[]): JsonObject {
  const headers: JsonObject = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
  if (status === 429 || status === 503) headers['Retry-After'] = { $ref: '#/components/headers/RetryAfter' };
  return {
    description: codes.map((code) => `\`${code}\` ${errorCatalogue[code].message}`).join('; '),
    'x-error-codes': Object.fromEntries(codes.map((code) => [code, details[code]?.always ?? null])),
    headers,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorEnvelope' },
        examples: Object.fromEntries(codes.map((code) => [code, { summary: errorCatalogue[code].message, value: exampleOf(code) }])),
      },
    },
  };
}

/** Collects the failures of a document: one component for each set of codes of one HTTP status. */
export class ErrorResponses {
  /** Name → response, for `components.responses`. */
  readonly responses: JsonObject = {};

  /** HTTP status → reference to the response, for one route. */
  of(route: RouteDefinition): JsonObject {
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of errorCodesOf(route)) byStatus.set(httpStatusOf(code), [...(byStatus.get(httpStatusOf(code)) ?? []), code]);
    const result: JsonObject = {};
    for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
      const name = `${statusNames[status] ?? `Status${status}`}${codes.join('Or')}`;
      this.responses[name] ??= response(status, codes);
      result[status] = { $ref: `#/components/responses/${name}` };
    }
    return result;
  }
}
