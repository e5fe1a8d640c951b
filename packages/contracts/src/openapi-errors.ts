import { type ErrorCode, errorCatalogue, errorCodes, httpStatusOf } from '@parcelway/kernel/error-codes';
import { exampleParcel } from './examples.ts';
import type { JsonObject } from './openapi-schemas.ts';
import type { RouteDefinition } from './route.ts';
import { MAX_EVENTS_PER_CALL } from './warehouse-api.ts';
import { deliveryStatuses } from './webhook-delivery-api.ts';
import { TEST_EVENT_TYPE, tenantEventTypes } from './webhook-event-types.ts';

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

const notAnInstant = (field: string): ErrorData =>
  fieldErrors(field, 'format', `${field} must be an ISO 8601 time with offset, such as 2026-01-31T08:00:00+08:00`);

/** Route in which every field may be absent → a fault of one that is there. */
const optionalFaults: Readonly<Record<string, ErrorData>> = {
  listDeliveries: fieldErrors('status', 'enum', `status must be one of ${deliveryStatuses.join(', ')}`),
  sendTestEvent: fieldErrors('event_type', 'enum', `event_type must be one of ${[TEST_EVENT_TYPE, ...tenantEventTypes].join(', ')}`),
  rotateSecret: fieldErrors('end_former_secret', 'type', 'end_former_secret must be true or false'),
  listEvents: notAnInstant('since'),
  listen: fieldErrors('wait', 'pattern', 'wait must be an integer from 1 to 25'),
};

/** What the validation of a route says to a call that lacks something; a test holds it against the validation itself. */
function validationOf(route: RouteDefinition): ErrorData {
  if (route.id === 'reportEvents') {
    return fieldErrors('events', 'max_items', `events must have at most ${MAX_EVENTS_PER_CALL} elements`);
  }
  const schema = (route.body ?? route.query) as { readonly required?: readonly string[]; readonly minProperties?: number };
  const [field] = schema.required ?? [];
  if (field !== undefined) return fieldErrors(field, 'required', `${field} is required`);
  if (schema.minProperties !== undefined) return fieldErrors('', 'min_properties', 'The body must have at least one field');
  return optionalFaults[route.id] ?? notAnInstant('created_from');
}

/** What a code carries in `data` when a route fails with it; undefined for null. */
function dataOf(code: ErrorCode, route: RouteDefinition): ErrorData | undefined {
  if (code === '42201') return validationOf(route);
  if (code === '40902' && route.id !== 'cancelForecast') return undefined;
  return fixedData[code];
}

/** Code → what it carries in `data`, the same for every route. */
const fixedData: { readonly [C in ErrorCode]?: ErrorData } = {
  '40901': {
    schema: ref('PoNumberConflict'),
    example: { forecast_no: exampleParcel.forecastNo, fields: ['due_date', 'items[0].forecast_quantity'] },
  },
  '40902': { schema: { type: 'object', description: 'The state that stands in the way' }, example: { status: 2, status_name: 'ARRIVED' } },
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

function exampleOf(code: ErrorCode, data: ErrorData | undefined): JsonObject {
  const { message } = errorCatalogue[code];
  const first = (data?.example.errors as { readonly message: string }[] | undefined)?.[0];
  return { code, message: code === '42201' && first ? `${message}: ${first.message}` : message, data: data?.example ?? null };
}

function answer(status: number, codes: readonly ErrorCode[], route: RouteDefinition): JsonObject {
  const data = new Map(codes.map((code) => [code, dataOf(code, route)]));
  const schemas = [...new Set([...data.values()].flatMap((each) => (each ? [JSON.stringify(each.schema)] : [])))].map(
    (text) => JSON.parse(text) as JsonObject,
  );
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
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: errorCatalogue[code].message, value: exampleOf(code, data.get(code)) }]),
        ),
      },
    },
  };
}

/** Collects the failure answers of a document: equal ones are written once. */
export class ErrorAnswers {
  /** Name → answer, for `components.responses`. */
  readonly responses: JsonObject = {};
  /** Answer as JSON → its name. */
  readonly #names = new Map<string, string>();

  /** HTTP status → reference to the answer, for one route. */
  of(route: RouteDefinition): JsonObject {
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of errorCodesOf(route)) byStatus.set(httpStatusOf(code), [...(byStatus.get(httpStatusOf(code)) ?? []), code]);
    const result: JsonObject = {};
    for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
      result[status] = { $ref: `#/components/responses/${this.#nameOf(codes, answer(status, codes, route))}` };
    }
    return result;
  }

  /** Name of an answer: its codes, and a number where answers of the same codes differ in what they show. */
  #nameOf(codes: readonly ErrorCode[], described: JsonObject): string {
    const text = JSON.stringify(described);
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const base = `Error_${codes.join('_')}`;
    let name = base;
    for (let count = 2; Object.hasOwn(this.responses, name); count += 1) name = `${base}_v${count}`;
    this.responses[name] = described;
    this.#names.set(text, name);
    return name;
  }
}
