import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin, { type FormatsPlugin } from 'ajv-formats';

/** A part of a document under test. */
export type Part = Record<string, unknown>;

/** Looks into an API document: follows references, visits parts, validates values against its schemas. */
export class DocumentProbe {
  readonly root: Part;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  /** Schema of the document → its validator: many responses share one, and compiling takes most of the time. */
  readonly #compiled = new WeakMap<object, ValidateFunction>();

  /** @param document as it would be served: what JSON cannot hold is gone */
  constructor(document: object) {
    this.root = JSON.parse(JSON.stringify(document)) as Part;
    (formatsPlugin as unknown as FormatsPlugin)(this.#ajv);
  }

  /** The part to which a reference or path such as `#/components/schemas/X` leads. @throws Error when there is none */
  at(pointer: string): Part {
    let part: unknown = this.root;
    for (const step of pointer
      .split('/')
      .slice(1)
      .map((raw) => raw.replaceAll('~1', '/').replaceAll('~0', '~'))) {
      if (part === null || typeof part !== 'object' || !Object.hasOwn(part, step)) throw new Error(`${pointer} leads nowhere`);
      part = (part as Part)[step];
    }
    return part as Part;
  }

  /** The part itself, or what it refers to. */
  resolve(part: unknown): Part {
    const { $ref } = part as { readonly $ref?: string };
    return $ref === undefined ? (part as Part) : this.at($ref);
  }

  /** Every object in the document with its path. */
  *parts(part: unknown = this.root, path = '#'): Generator<readonly [string, Part]> {
    if (part === null || typeof part !== 'object') return;
    if (!Array.isArray(part)) yield [path, part as Part];
    for (const [key, value] of Object.entries(part)) yield* this.parts(value, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }

  /** Every reference in the document. */
  references(): string[] {
    return [...this.parts()].flatMap(([, part]) => (typeof part.$ref === 'string' ? [part.$ref] : []));
  }

  /** Rules of JSON Schema 2020-12 that a schema itself violates; empty when it is well-formed. */
  schemaErrors(schema: unknown): string[] {
    this.#ajv.validateSchema(schema as object);
    return (this.#ajv.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  }

  /** What is wrong with a value by a schema of the document; empty when it is valid. */
  valueErrors(schema: unknown, value: unknown): string[] {
    const validate = this.#compiled.get(schema as object) ?? this.#compile(schema as object);
    validate(value);
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  }

  #compile(schema: object): ValidateFunction {
    // References of the form #/components/… need the components beside the schema.
    const validate = this.#ajv.compile({ ...schema, components: this.root.components });
    this.#compiled.set(schema, validate);
    return validate;
  }
}
