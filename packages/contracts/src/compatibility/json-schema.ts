import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../openapi-schemas.ts';

/** A schema whose references are looked up in the document that contains it. */
export interface PlacedSchema {
  readonly schema: JsonObject;
  /** The document, for references such as `#/components/schemas/X`. */
  readonly document: JsonObject;
}

/** Keywords that say nothing of what is valid. */
const ANNOTATIONS = new Set(['title', 'description', 'summary', 'deprecated', 'discriminator', 'example', 'examples']);

/** Keywords that the comparison understands. */
const KEYWORDS = new Set([
  ...['$ref', 'type', 'enum', 'const', 'default', 'anyOf', 'oneOf', 'allOf', 'if', 'then', 'else'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties'],
]);

/** True for a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The value at `#/a/b` of a document. @throws Error when nothing does */
export function lookUp(document: JsonObject, reference: string): JsonObject {
  let part: unknown = document;
  for (const step of reference.split('/').slice(1)) {
    part = isJsonObject(part) ? part[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  if (!isJsonObject(part)) throw new Error(`${reference} does not resolve`);
  return part;
}

/** The part itself, or what its `$ref` leads to. */
export function resolved(part: unknown, document: JsonObject): JsonObject {
  if (!isJsonObject(part)) return {};
  return typeof part['$ref'] === 'string' ? resolved(lookUp(document, part['$ref']), document) : part;
}

/** A part of a document as text, with everything that it refers to: equal texts are equal contracts. */
export function textWithReferences(part: unknown, document: JsonObject): string {
  const seen = new Map<string, string>();
  const waiting = [JSON.stringify(part) ?? ''];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [, reference] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
      if (reference === undefined || seen.has(reference)) continue;
      seen.set(reference, JSON.stringify(lookUp(document, reference)));
      waiting.push(seen.get(reference) as string);
    }
  }
  return JSON.stringify([part, [...seen].sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Two schemas that must both hold, as one. @throws Error when they rule the same thing in two ways */
function both(first: JsonObject, second: JsonObject): JsonObject {
  const result: JsonObject = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = result[key];
    if (before === undefined || ANNOTATIONS.has(key) || isDeepStrictEqual(before, value)) result[key] = value;
    else if (key === 'required') result[key] = [...new Set([...(before as string[]), ...(value as string[])])];
    else if (key === 'properties') result[key] = { ...(before as JsonObject), ...(value as JsonObject) };
    else throw new Error(`The comparison of contracts cannot read a schema in which two parts define "${key}" differently`);
  }
  return result;
}

/**
 * The schema as a list of schemas without choices of which one must hold: every branch of `anyOf` and `oneOf`, every one of several types.
 * @throws Error for a keyword that the comparison does not know: a rule that it passed over would be a change that nobody sees
 */
export function alternativesOf({ schema: source, document }: PlacedSchema): JsonObject[] {
  const schema = resolved(source, document);
  const unknown = Object.keys(schema).find((key) => !KEYWORDS.has(key) && !ANNOTATIONS.has(key));
  if (unknown !== undefined) {
    throw new Error(`The comparison of contracts does not know the keyword "${unknown}": add it in packages/contracts/src/compatibility`);
  }
  const { allOf, anyOf, oneOf, ...rest } = schema;
  if (Array.isArray(allOf)) {
    const whole = allOf.reduce<JsonObject>((sum, part) => both(sum, resolved(part, document)), rest);
    return alternativesOf({ schema: { ...whole, ...(anyOf ? { anyOf } : {}), ...(oneOf ? { oneOf } : {}) }, document });
  }
  if (Array.isArray(anyOf)) {
    const base = oneOf === undefined ? rest : { ...rest, oneOf };
    return anyOf.flatMap((branch) => alternativesOf({ schema: both(base, resolved(branch, document)), document }));
  }
  if (Array.isArray(oneOf)) return oneOf.flatMap((branch) => alternativesOf({ schema: both(rest, resolved(branch, document)), document }));
  return Array.isArray(rest['type']) ? rest['type'].map((type) => ({ ...rest, type })) : [rest];
}

/** Fields of an object schema. */
export function propertiesOf(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  return (schema['properties'] ?? {}) as Record<string, JsonObject>;
}
