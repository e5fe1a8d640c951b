import { type ErrorCode, errorCatalogue, errorCodes, httpStatusOf } from '@parcelway/kernel/error-codes';
import { exampleParcel } from './examples.ts';
import type { JsonObject } from './openapi-schemas.ts';
import type { RouteDefinition } from './route.ts';

const text = (description: string): JsonObject => ({ type: 'string', description });
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Schemas of what a failure carries in `data`. */
export const errorDataSchemas: JsonObject = {
  FieldErrors: {
    type: 'object',
    description: 'Every violated rule at once, at most 100',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['field', 'rule', 'message'],
          properties: {
            field: text('JSON path, such as items[3].sku_code'),
            rule: text('Short name of the rule, such as required or max_length'),
            message: text('What is wrong and what is allowed'),
          },
        },
      },
    },
  },
  PoNumberConflict: {
    type: 'object',
    required: ['forecast_no', 'fields'],
    properties: {
      forecast_no: text('The forecast that has this po_number'),
      fields: { type: 'array', items: { type: 'string' }, description: 'JSON paths of the fields that differ, at most 100' },
    },
  },
  TrackingNumberConflict: {
    type: 'object',
    required: ['tracking_numbers', 'fields'],
    properties: {
      tracking_numbers: { type: 'array', items: { type: 'string' }, description: 'Numbers in use, normalised' },
      fields: { type: 'array', items: { type: 'string' }, description: 'JSON paths of the fields that hold them' },
    },
  },
  RateLimited: {
    type: 'object',
    properties: { limit: { type: 'integer' }, retry_after_seconds: { type: 'integer', description: 'As in Retry-After' } },
  },
};

interface ErrorData {
  readonly schema: JsonObject;
  readonly example: JsonObject;
}

const fieldErrors = (field: string, rule: string, message: string): ErrorData => ({
  schema: ref('FieldErrors'),
  example: { errors: [{ field, rule, message }] },
});

/** Code → what it carries in `data`; null for all others. */
const dataOf: { readonly [C in ErrorCode]?: ErrorData } = {
  '40901': {
    schema: ref('PoNumberConflict'),
    example: { forecast_no: exampleParcel.forecastNo, fields: ['due_date', 'items[0].forecast_quantity'] },
  },
  '40902': { schema: { type: 'object', description: 'The state that stands in the way' }, example: { status: 2, status_name: 'ARRIVED' } },
  '42201': fieldErrors('warehouse_code', 'required', 'warehouse_code is required'),
  '42202': {
    schema: ref('TrackingNumberConflict'),
    example: { tracking_numbers: [exampleParcel.trackingNumber], fields: ['items[0].tracking_number'] },
  },
  '42203': fieldErrors('shipping_label', 'file_url', 'shipping_label must be a URL that the upload endpoint returned to this tenant'),
  '42901': { schema: ref('RateLimited'), example: { limit: 200, retry_after_seconds: 1 } },
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
  return errorCodes.filter((code) => codes.has(code));
}

/** An example of the answer to a code. */
export function errorExample(code: ErrorCode): JsonObject {
  const { message } = errorCatalogue[code];
  const data = dataOf[code]?.example ?? null;
  const first = (data?.errors as { readonly message: string }[] | undefined)?.[0];
  return { code, message: code === '42201' && first ? `${message}: ${first.message}` : message, data };
}

function answer(status: number, codes: readonly ErrorCode[]): JsonObject {
  const schemas = [
    ...new Map(codes.flatMap((code) => dataOf[code]?.schema ?? []).map((schema) => [JSON.stringify(schema), schema])).values(),
  ];
  const headers: JsonObject = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
  if (status === 429 || status === 503) headers['Retry-After'] = { $ref: '#/components/headers/RetryAfter' };
  return {
    description: codes.map((code) => `\`${code}\` ${errorCatalogue[code].message}`).join('; '),
    headers,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['code', 'message', 'data'],
          properties: {
            code: { type: 'string', enum: codes },
            message: text('For people; may say more than the text of the catalogue'),
            data: schemas.length === 0 ? { type: 'null' } : { anyOf: [...schemas, { type: 'null' }] },
          },
        },
        examples: Object.fromEntries(codes.map((code) => [code, { summary: errorCatalogue[code].message, value: errorExample(code) }])),
      },
    },
  };
}

/** Collects the failure answers of a document: equal ones are written once. */
export class ErrorAnswers {
  /** Name → answer, for `components.responses`. */
  readonly responses: JsonObject = {};

  /** HTTP status → reference to the answer, for one route. */
  of(route: RouteDefinition): JsonObject {
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of errorCodesOf(route)) byStatus.set(httpStatusOf(code), [...(byStatus.get(httpStatusOf(code)) ?? []), code]);
    const result: JsonObject = {};
    for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
      const name = `Error_${codes.join('_')}`;
      this.responses[name] ??= answer(status, codes);
      result[status] = { $ref: `#/components/responses/${name}` };
    }
    return result;
  }
}
