/** A part of a JSON document. */
export type JsonObject = Record<string, unknown>;

/** Formats of this house → the ones that tools outside know, with what they leave out. */
const formats: Readonly<Record<string, JsonObject>> = {
  'iso-date-time': { format: 'date-time' },
  'https-url': { format: 'uri', pattern: '^https://' },
  'web-url': { format: 'uri', pattern: '^https?://' },
};

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** `type` of a branch → its reference, for the branches that fix it by `const`. */
function discriminatorMapping(branches: readonly unknown[], property: string, refs: readonly unknown[]): JsonObject {
  const mapping: JsonObject = {};
  branches.forEach((branch, index) => {
    const fixed = isObject(branch) && isObject(branch.properties) ? branch.properties[property] : undefined;
    const ref = refs[index];
    if (isObject(fixed) && typeof fixed.const === 'string' && isObject(ref) && ref.$ref) mapping[fixed.const] = ref.$ref;
  });
  return mapping;
}

/**
 * Collects the schemas of a document: each that has an `$id` is written once, under that name, and referred to
 * everywhere else.
 */
export class SchemaCollector {
  /** Name → schema, for `components.schemas`. */
  readonly schemas: JsonObject = {};

  /** A schema as the document holds it: a reference when it has a name, itself otherwise. */
  schema(source: unknown): unknown {
    if (Array.isArray(source)) return source.map((element) => this.schema(element));
    if (!isObject(source)) return source;
    const { $id, ...rest } = source;
    if (typeof $id !== 'string') return this.#convert(rest);
    if (!Object.hasOwn(this.schemas, $id)) {
      // Reserved first, so that names keep the order in which they are met.
      this.schemas[$id] = {};
      this.schemas[$id] = this.#convert(rest);
    }
    return { $ref: `#/components/schemas/${$id}` };
  }

  #convert(source: JsonObject): JsonObject {
    const result: JsonObject = {};
    for (const [key, value] of Object.entries(source)) {
      if (key === 'format' && typeof value === 'string') Object.assign(result, formats[value] ?? { format: value });
      else result[key] = this.schema(value);
    }
    const { discriminator, oneOf } = source;
    if (isObject(discriminator) && Array.isArray(oneOf) && typeof discriminator.propertyName === 'string') {
      const mapping = discriminatorMapping(oneOf, discriminator.propertyName, result.oneOf as unknown[]);
      result.discriminator = { ...discriminator, mapping };
    }
    return result;
  }
}
