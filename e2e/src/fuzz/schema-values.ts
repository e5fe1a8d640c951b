import fc from 'fast-check';

/**
 * Values of a field by its name, such as identifiers that exist: a random one would never meet anything. Tame values leave a field out
 * for which the list is empty.
 */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** What no schema expects, of every type; kept small, for the size of bodies has tests of its own. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, '', ' ', [], {}, '\u0000', '\ud800', '__proto__', '2026-02-30', '../..', '%00'),
  fc.jsonValue({ maxDepth: 2 }),
);

/** By format: what is tame, and what is wild. URLs stay on this machine: what is registered here may be called. */
const byFormat: Readonly<Record<string, readonly [tame: readonly unknown[], wild: readonly unknown[]]>> = {
  'web-url': [
    ['https://127.0.0.1:9/', 'https://localhost:9/a?b=1'],
    ['file:///etc/passwd', 'https://', 'x', 'http://[::1]:9/'],
  ],
  date: [
    ['2026-12-24', '2099-12-31'],
    ['2026-02-30', '0000-01-01', '2026-1-1'],
  ],
  'iso-date-time': [
    ['2026-11-21T00:00:00+08:00', '2026-11-21T00:00:00.123Z'],
    ['2026-11-21', '2026-11-21T25:00:00Z', '2026-11-21 00:00:00Z'],
  ],
};

const plain = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ]{4,20}[A-Za-z0-9]$/);
const oddText = fc.string({ unit: 'binary', maxLength: 40 });
const headerNames = fc.stringMatching(/^X-[A-Z][a-z]{1,8}$/);

/** Text by a pattern, where fast-check can write such; its plain text fits most others. */
function byPattern(pattern: string, maxLength: number): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u')).filter((text) => text.length <= maxLength);
  } catch {
    return plain;
  }
}

type Part = Readonly<Record<string, unknown>>;

/** Makes values for the schemas of requests. Tame ones are meant to be valid; wild ones have something wrong in many places. */
export class SchemaValues {
  readonly #known: KnownValues;
  readonly #wild: boolean;

  constructor(known: KnownValues, wild: boolean) {
    this.#known = known;
    this.#wild = wild;
  }

  /** True for a field that tame values leave out. */
  leavesOut(name: string): boolean {
    return !this.#wild && this.#known[name]?.length === 0;
  }

  /** Values for a schema. @param name of the field that it describes */
  of(schema: unknown, name = ''): fc.Arbitrary<unknown> {
    const known = this.#known[name] ?? [];
    const usual = known.length > 0 ? fc.constantFrom(...known) : this.#made(schema as Part);
    if (!this.#wild) return usual;
    return fc.oneof(
      { weight: 8, arbitrary: usual },
      { weight: 2, arbitrary: this.#made(schema as Part) },
      { weight: 1, arbitrary: anything },
    );
  }

  #made(schema: Part): fc.Arbitrary<unknown> {
    const branches = (schema.oneOf ?? schema.anyOf) as readonly unknown[] | undefined;
    if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.type === 'object' && schema.properties !== undefined) return this.#object(schema);
    if (branches !== undefined) return fc.oneof(...branches.map((branch) => this.of(branch)));
    if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => this.#made({ ...schema, type })));
    if (schema.type === 'array') return this.#array(schema);
    const [ofAnyName] = Object.values((schema.patternProperties ?? {}) as Part);
    if (schema.type === 'object') return fc.dictionary(this.#wild ? oddText : headerNames, this.of(ofAnyName), { maxKeys: 3 });
    if (schema.type === 'integer' || schema.type === 'number') return this.#number(schema);
    if (schema.type === 'boolean') return fc.boolean();
    return schema.type === 'null' ? fc.constant(null) : this.#text(schema);
  }

  #array(schema: Part): fc.Arbitrary<unknown> {
    const limits = { minLength: this.#wild ? 0 : Number(schema.minItems ?? 0), maxLength: 3 };
    const element = this.of(schema.items);
    return schema.uniqueItems === true && !this.#wild ? fc.uniqueArray(element, { ...limits, maxLength: 2 }) : fc.array(element, limits);
  }

  #text(schema: Part): fc.Arbitrary<unknown> {
    const { minLength = 0, maxLength = 80, pattern } = schema as { minLength?: number; maxLength?: number; pattern?: string };
    const [tame, wild] = byFormat[String(schema.format)] ?? [];
    if (tame !== undefined) return fc.constantFrom(...tame, ...(this.#wild ? (wild ?? []) : []));
    const usual = pattern === undefined ? plain : byPattern(pattern, maxLength);
    if (!this.#wild) return usual;
    const edges = [minLength, maxLength, maxLength + 1]
      .filter((length) => length > 0 && length <= 3000)
      .map((length) => 'a'.repeat(length));
    return fc.oneof(
      { weight: 3, arbitrary: usual },
      { weight: 1, arbitrary: oddText },
      { weight: 1, arbitrary: fc.constantFrom('12345678', ...edges) },
    );
  }

  #number(schema: Part): fc.Arbitrary<unknown> {
    const { minimum = 1, maximum = 1000 } = schema as { readonly minimum?: number; readonly maximum?: number };
    const within = fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, 2 ** 31)) });
    if (!this.#wild) return within;
    const edges = fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, 1.5, 1e-7, Number.MAX_SAFE_INTEGER);
    return fc.oneof({ weight: 2, arbitrary: within }, { weight: 1, arbitrary: edges });
  }

  #object(schema: Part): fc.Arbitrary<unknown> {
    const { properties, required = [] } = schema as { readonly properties: Record<string, unknown>; readonly required?: string[] };
    const names = Object.keys(properties).filter((name) => !this.leavesOut(name));
    const fields: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(names.map((name) => [name, this.of(properties[name], name)]));
    const usual = fc.record(fields, { requiredKeys: required });
    if (!this.#wild) return usual;
    // Now and then one that is required is absent, or one that nobody knows is there.
    return fc.oneof(
      { weight: 4, arbitrary: usual },
      { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
      {
        weight: 1,
        arbitrary: fc.record<Record<string, unknown>>(
          { ...fields, no_such_field: anything },
          { requiredKeys: [...required, 'no_such_field'] },
        ),
      },
    );
  }
}
