import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin, { type FormatsPlugin } from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import { patternMessages } from './text.ts';
import { withoutMisfitBranches } from './union-errors.ts';

const addFormats = formatsPlugin as unknown as FormatsPlugin;

function isUrl(value: string, protocols: readonly string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol) && /^[\x21-\x7e\u00a0-\uffff]+$/u.test(value);
}

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  discriminator: true,
  useDefaults: false,
  // Errors come with the schema that they break, which knows the fields that it has.
  verbose: true,
});
addFormats(ajv, ['date', 'date-time']);
const dateTime = (ajv.formats['date-time'] as { readonly validate: (value: string) => boolean }).validate;
// As RFC 3339, offset required; without the blank that it allows for the T, and without leap seconds, which Date cannot hold.
// RFC 3339 does not bound the fraction of a second; what is stored and passed on as it was written needs a bound.
const MAX_INSTANT_LENGTH = 40;
ajv.addFormat(
  'iso-date-time',
  (value) => value.length <= MAX_INSTANT_LENGTH && dateTime(value) && !/\s/.test(value) && !Number.isNaN(Date.parse(value)),
);
ajv.addFormat('https-url', (value) => isUrl(value, ['https:']));
ajv.addFormat('web-url', (value) => isUrl(value, ['https:', 'http:']));

const formatMessages: Readonly<Record<string, string>> = {
  date: 'must be a real calendar date written YYYY-MM-DD',
  'iso-date-time': 'must be an ISO 8601 time with offset, such as 2026-01-31T08:00:00+08:00',
  'https-url': 'must be an https:// URL',
  'web-url': 'must be an https:// or http:// URL',
};

/** A compiled schema. `errors` lists every violated rule at once; empty when the value is valid. */
export interface Validator<T> {
  /** Names of the fields of an object schema; none for any other. */
  readonly fields: readonly string[];
  /** True when `value` has the shape. */
  is(value: unknown): value is T;
  /** Every violated rule (cut at 1000), with JSON paths from the root of the value. */
  errors(value: unknown): FieldError[];
  /**
   * The value, typed.
   * @throws AppError 42201 with all field errors
   */
  parse(value: unknown): T;
}

const MAX_COLLECTED = 1000;

/** `/items/3/sku_code` → `items[3].sku_code`. */
function jsonPath(pointer: string, property?: string): string {
  const parts = pointer.split('/').slice(1);
  if (property !== undefined) parts.push(property);
  let path = '';
  for (const part of parts.map((raw) => raw.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    path += /^\d+$/.test(part) ? `[${part}]` : path === '' ? part : `.${part}`;
  }
  return path;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

interface Rule {
  readonly rule: string;
  /** @param known fields of the object schema in question */
  readonly say: (params: Record<string, unknown>, known: readonly string[]) => string;
}

const rules: Readonly<Record<string, Rule>> = {
  required: { rule: 'required', say: () => 'is required' },
  type: {
    rule: 'type',
    say: ({ type }) =>
      `must be ${[type]
        .flat()
        .map((name) => TYPE_NAMES[String(name)] ?? String(name))
        .join(' or ')}`,
  },
  enum: { rule: 'enum', say: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}` },
  const: { rule: 'enum', say: ({ allowedValue }) => `must be ${String(allowedValue)}` },
  minLength: {
    rule: 'min_length',
    say: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  },
  maxLength: { rule: 'max_length', say: ({ limit }) => `must have at most ${limit} characters` },
  minimum: { rule: 'minimum', say: ({ limit }) => `must be at least ${limit}` },
  maximum: { rule: 'maximum', say: ({ limit }) => `must be at most ${limit}` },
  exclusiveMinimum: { rule: 'minimum', say: ({ limit }) => `must be greater than ${limit}` },
  minItems: { rule: 'min_items', say: ({ limit }) => `must have at least ${limit} element${limit === 1 ? '' : 's'}` },
  maxItems: { rule: 'max_items', say: ({ limit }) => `must have at most ${limit} elements` },
  uniqueItems: { rule: 'unique_items', say: () => 'must not contain the same element twice' },
  maxProperties: { rule: 'max_properties', say: ({ limit }) => `must have at most ${limit} fields` },
  minProperties: { rule: 'min_properties', say: () => 'must have at least one field' },
  pattern: {
    rule: 'pattern',
    say: ({ pattern }) => patternMessages[String(pattern)] ?? `must match ${String(pattern)}`,
  },
  format: { rule: 'format', say: ({ format }) => formatMessages[String(format)] ?? `must be a ${String(format)}` },
  additionalProperties: {
    rule: 'unknown',
    say: (_, known) => `is not known here${known.length > 0 ? `; known are ${known.join(', ')}` : ''}`,
  },
};

/** Keywords whose own error only repeats that a branch failed. */
const STRUCTURAL = new Set(['if', 'anyOf', 'oneOf', 'allOf', 'discriminator']);

function toFieldError(error: ErrorObject): FieldError | undefined {
  if (STRUCTURAL.has(error.keyword)) return undefined;
  const params = error.params as Record<string, unknown>;
  const property = (params.missingProperty ?? params.additionalProperty) as string | undefined;
  const field = jsonPath(error.instancePath, property);
  const rule = rules[error.keyword];
  const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
  const sentence = rule ? rule.say(params, known) : (error.message ?? 'is invalid');
  return { field, rule: rule?.rule ?? error.keyword, message: `${field === '' ? 'The body' : field} ${sentence}` };
}

function collect(validate: ValidateFunction): FieldError[] {
  const seen = new Set<string>();
  const found: FieldError[] = [];
  for (const error of withoutMisfitBranches(validate.errors ?? [])) {
    const fieldError = toFieldError(error);
    if (!fieldError) continue;
    const key = `${fieldError.field}\n${fieldError.rule}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.push(fieldError);
    if (found.length >= MAX_COLLECTED) break;
  }
  return found.length > 0 ? found : [{ field: '', rule: 'shape', message: 'The body does not have the required shape' }];
}

/** The arrays among the fields of an object schema, with the most elements that they may have. */
function arrayBounds(schema: TSchema): ReadonlyArray<readonly [name: string, maxItems: number]> {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, { readonly maxItems?: unknown }>> };
  return Object.entries(properties ?? {}).flatMap(([name, { maxItems }]) =>
    typeof maxItems === 'number' ? [[name, maxItems] as const] : [],
  );
}

/**
 * The value with its overlong arrays cut one element behind their bound. That they are too long is still found, but not
 * the millions of errors that a body of 5 MB has room for: their list would take a gigabyte.
 */
function withinBounds(value: unknown, bounds: ReturnType<typeof arrayBounds>): unknown {
  if (value === null || typeof value !== 'object') return value;
  let cut: Record<string, unknown> | undefined;
  for (const [name, maxItems] of bounds) {
    const field = (value as Readonly<Record<string, unknown>>)[name];
    if (!Array.isArray(field) || field.length <= maxItems) continue;
    cut ??= { ...value };
    cut[name] = field.slice(0, maxItems + 1);
  }
  return cut ?? value;
}

/**
 * Compiles a schema once; keep the result. Types are strict: nothing is coerced, nothing is removed, no default is
 * filled in.
 */
export function compileValidator<S extends TSchema>(schema: S): Validator<Static<S>> {
  let compiled: ValidateFunction | undefined;
  const bounds = arrayBounds(schema);
  const validate = (value: unknown): ValidateFunction => {
    // Compiled at first use: start-up stays short. The `$id` is dropped so that a schema may stand inside another.
    compiled ??= ajv.compile(withoutIds(schema) as object);
    compiled(withinBounds(value, bounds));
    return compiled;
  };
  const errorsOf = (value: unknown): FieldError[] => {
    const run = validate(value);
    return run.errors ? collect(run) : [];
  };
  return {
    fields: Object.keys((schema as { readonly properties?: object }).properties ?? {}),
    is: (value): value is Static<S> => !validate(value).errors,
    errors: errorsOf,
    parse(value) {
      const errors = errorsOf(value);
      if (errors.length > 0) throw AppError.validation(errors);
      return value as Static<S>;
    },
  };
}

/** A copy of a schema without `$id`, `title`-only metadata untouched. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== '$id')
      .map(([key, value]) => [key, withoutIds(value)]),
  );
}
