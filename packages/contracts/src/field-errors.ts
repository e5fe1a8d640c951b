import type { FieldError } from '@parcelway/kernel/app-error';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { formatMessages } from './formats.ts';
import { patternMessages } from './text.ts';

const isUnion = ({ keyword }: ErrorObject): boolean => keyword === 'anyOf' || keyword === 'oneOf';

/** Number of the branch of a union that an error comes from; undefined when it comes from elsewhere. */
function branchOf(error: ErrorObject, union: ErrorObject): string | undefined {
  const prefix = `${union.schemaPath}/`;
  const isWithin = error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`);
  return isWithin && error.schemaPath.startsWith(prefix) ? error.schemaPath.slice(prefix.length).split('/', 1)[0] : undefined;
}

/** The errors of a union's branches, less those of branches for another type of value; all of them when no type fits. */
function ofFittingBranches(errors: readonly ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
  const misfits = new Set<string | undefined>();
  for (const error of errors) {
    const branch = branchOf(error, union);
    if (error.instancePath === union.instancePath && error.schemaPath === `${union.schemaPath}/${branch}/type`) misfits.add(branch);
  }
  const fitting = errors.filter((error) => !misfits.has(branchOf(error, union)));
  return fitting.length > 0 ? fitting : errors;
}

/**
 * Leaves out what the branches of a union say of a value that is not of their type: that 0 is not null helps nobody when a
 * number of at least 1 was wanted.
 * @param errors of ajv with `allErrors`, in its order: the errors of the branches come immediately before that of their union
 */
function withoutMisfitBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (isUnion(error)) {
      let begin = kept.length;
      while (begin > 0 && branchOf(kept[begin - 1] as ErrorObject, error) !== undefined) begin -= 1;
      for (const branchError of ofFittingBranches(kept.splice(begin), error)) kept.push(branchError);
    }
    kept.push(error);
  }
  return kept;
}

const MAX_COLLECTED = 1000;
/** A name in a path is cut here: it is the caller's text and may be megabytes long. */
const MAX_NAME = 100;

/** `/items/3/sku_code` → `items[3].sku_code`. */
function jsonPath(pointer: string, property?: string): string {
  const parts = pointer.split('/').slice(1);
  if (property !== undefined) parts.push(property);
  let path = '';
  for (const part of parts.map((raw) => raw.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, MAX_NAME))) {
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

/** Formats that restrict the characters of a text, as patterns do. */
const CHARACTER_FORMATS = new Set<unknown>(['identifier', 'logistics-number', 'visible-text']);

const PRECISION: Rule = {
  rule: 'precision',
  say: () => 'must be a number that a double (IEEE 754) holds exactly as written, as it does up to 15 digits',
};

/** Keywords that judge the characters of a text, in the order in which ajv asks them. What the first one says of a text is enough. */
const TEXT_KEYWORDS = new Set(['maxLength', 'minLength', 'pattern', 'format', 'formatMinimum', 'formatMaximum']);

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
  formatMinimum: { rule: 'minimum', say: ({ limit }) => `must be ${limit} or later` },
  formatMaximum: { rule: 'maximum', say: ({ limit }) => `must be ${limit} or earlier` },
  multipleOf: {
    rule: 'multiple_of',
    say: ({ multipleOf }) => `must have at most ${Math.round(-Math.log10(Number(multipleOf)))} decimals`,
  },
  additionalProperties: {
    rule: 'unknown',
    say: (_, known) => `is not known here${known.length > 0 ? `; known are ${known.join(', ')}` : ''}`,
  },
};

/** Keywords whose own error only repeats that a branch, or the name of a member, failed. */
const STRUCTURAL = new Set(['if', 'anyOf', 'oneOf', 'allOf', 'discriminator', 'propertyNames']);

function ruleOf({ keyword, params, data }: ErrorObject): Rule | undefined {
  const rule = rules[keyword];
  // How a number arrives that cannot be read exactly; see the parser of bodies.
  const isBeyond = typeof data === 'number' && !Number.isFinite(data);
  if (keyword === 'type' && isBeyond && /number|integer/.test(String(params['type']))) return PRECISION;
  return keyword === 'format' && rule && CHARACTER_FORMATS.has(params['format']) ? { ...rule, rule: 'pattern' } : rule;
}

function toFieldError(error: ErrorObject): FieldError {
  const params = error.params as Record<string, unknown>;
  const property = (error.propertyName ?? params.missingProperty ?? params.additionalProperty) as string | undefined;
  const field = jsonPath(error.instancePath, property);
  const rule = ruleOf(error);
  const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
  const sentence = rule ? rule.say(params, known) : (error.message ?? 'is invalid');
  const subject = error.propertyName === undefined ? field || 'The body' : `The name of ${field}`;
  return { field, rule: rule?.rule ?? error.keyword, message: `${subject} ${sentence}` };
}

/** Leaves out what further keywords say of a value that is not of its type: that "2" is none of 1 and 2 adds nothing to "must be an integer". */
function typesFirst(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath));
  return mistyped.size === 0 ? errors : errors.filter(({ keyword, instancePath }) => keyword === 'type' || !mistyped.has(instancePath));
}

/**
 * What ajv says of a value, in terms of its fields: each rule of a field once, of the characters of a text one.
 * @param errors of ajv with `allErrors` and `verbose`, in its order
 * @returns at least one, at most 1000
 */
export function fieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  const seen = new Set<string>();
  const found: FieldError[] = [];
  for (const error of typesFirst(withoutMisfitBranches(errors))) {
    if (STRUCTURAL.has(error.keyword)) continue;
    const fieldError = toFieldError(error);
    const key = `${fieldError.field}\n${TEXT_KEYWORDS.has(error.keyword) ? 'text' : fieldError.rule}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.push(fieldError);
    if (found.length >= MAX_COLLECTED) break;
  }
  return found.length > 0 ? found : [{ field: '', rule: 'shape', message: 'The body does not have the required shape' }];
}
