import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { JsonObject } from '../openapi-schemas.ts';
import type { Direction } from './schema-misfits.ts';
import { schemaMisfits } from './schema-misfits.ts';

const between = (before: unknown, after: unknown, direction: Direction, strictReaders = true) =>
  schemaMisfits(before, after, { direction, strictReaders, old: {}, new: {} });
const rules = (before: unknown, after: unknown, direction: Direction) =>
  between(before, after, direction).map(({ path, rule }) => [path, rule].filter(Boolean).join(' '));

const bound = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined });
/** Without the keywords that are not there. */
const present = (schema: JsonObject): JsonObject => JSON.parse(JSON.stringify(schema)) as JsonObject;

const scalar: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: bound, maxLength: bound, pattern: fc.constantFrom(undefined, '^a', '^a*$') }),
  fc.record({
    type: fc.constantFrom('integer', 'number'),
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
  }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom('', 'a', 'aa', 'b', 0, 1, 2.5, null, true), { minLength: 1, maxLength: 4 }) }),
  fc.record({ const: fc.constantFrom('a', 'b', 1, null) }),
  fc.record({ type: fc.constantFrom('boolean', 'null', ['string', 'null'], ['integer', 'string']) }),
);

const { schema: anySchema } = fc.letrec<{ schema: JsonObject; object: JsonObject; list: JsonObject; choice: JsonObject }>((tie) => ({
  schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('object'), tie('list'), tie('choice')),
  object: fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 3 }),
    required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
    additionalProperties: fc.constantFrom(undefined, false),
    maxProperties: bound,
    minProperties: bound,
  }),
  list: fc.record({
    type: fc.constant('array'),
    items: tie('schema'),
    minItems: bound,
    maxItems: bound,
    uniqueItems: fc.constantFrom(undefined, true),
  }),
  choice: fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
}));
const schema = anySchema.map(present);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('', 'a', 'aa', 'aaa', 'b', 'ab', 0, 1, 2, 2.5, 3, 4, null, true, false),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}));

/** Two schemas; often alike, as two made by chance have nothing in common. */
const pair: fc.Arbitrary<readonly [JsonObject, JsonObject]> = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(scalar.map(present), scalar.map(present)),
  fc.tuple(schema, schema).map(([first, second]) => [first, first['type'] === second['type'] ? { ...first, ...second } : second] as const),
  schema.map((first) => [first, { anyOf: [first, { type: 'null' }] }] as const),
);

/** True when the comparison finds nothing; one that it cannot read does not count. */
function fits(before: JsonObject, after: JsonObject, direction: Direction): boolean {
  try {
    return between(before, after, direction).length === 0;
  } catch (error) {
    if (!String(error).includes('two parts define')) throw error;
    return false;
  }
}

const ajv = new Ajv2020({ strict: false });

describe('what is valid', () => {
  test('by the old schema stays so by the new one when nothing was found in direction read', () => {
    fc.assert(
      fc.property(pair, fc.array(value, { minLength: 20, maxLength: 40 }), ([before, after], values) => {
        // A new optional field may narrow what was ignored before: that is what an addition is.
        fc.pre(fits(before, after, 'read') && !hasNewField(before, after));
        const [old, current] = [ajv.compile(before), ajv.compile(after)];
        for (const each of values) if (old(each)) expect([each, current(each)]).toEqual([each, true]);
      }),
      { numRuns: 40, maxSkipsPerRun: 2000 },
    );
  });

  test('by the new schema was so by the old one when nothing was found in direction write', () => {
    fc.assert(
      fc.property(pair, fc.array(value, { minLength: 20, maxLength: 40 }), ([before, after], values) => {
        fc.pre(fits(before, after, 'write') && !hasNewField(after, before));
        const [old, current] = [ajv.compile(before), ajv.compile(after)];
        for (const each of values) if (current(each)) expect([each, old(each)]).toEqual([each, true]);
      }),
      { numRuns: 40, maxSkipsPerRun: 2000 },
    );
  });

  test('by a schema is not broken by the same schema', () => {
    fc.assert(fc.property(schema, (same) => expect(between(same, same, 'read')).toEqual([])));
    fc.assert(fc.property(schema, (same) => expect(between(same, same, 'write')).toEqual([])));
  });
});

/** True when some object of `wide` names a field that an object of `narrow` leaves open. */
function hasNewField(narrow: JsonObject, wide: JsonObject): boolean {
  const names = (part: unknown, found = new Set<string>()): Set<string> => {
    if (part === null || typeof part !== 'object') return found;
    for (const [key, inner] of Object.entries(part)) {
      if (key === 'properties') for (const name of Object.keys(inner as object)) found.add(name);
      names(inner, found);
    }
    return found;
  };
  return JSON.stringify([...names(narrow)].sort()) !== JSON.stringify([...names(wide)].sort());
}

describe('what was found', () => {
  test('is reported from the old rule to the new one in both directions', () => {
    const [few, many] = [
      { type: 'string', maxLength: 5 },
      { type: 'string', maxLength: 9 },
    ];
    expect(between(many, few, 'read')).toMatchObject([{ change: 'maxLength: 9 → 5' }]);
    expect(between(few, many, 'write')).toMatchObject([{ change: 'maxLength: 5 → 9' }]);
    expect(between(few, many, 'read')).toEqual([]);
    expect(between(many, few, 'write')).toEqual([]);
  });

  test('knows integers from numbers, and names what it cannot compare', () => {
    expect(rules({ type: 'integer' }, { type: 'number' }, 'write')).toEqual(['type']);
    expect(rules({ type: 'integer' }, { type: 'number' }, 'read')).toEqual([]);
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    const when = (required: string[]) => ({ type: 'object', if: { required: ['a'] }, then: { required } });
    expect(rules(when(['b']), when(['b']), 'read')).toEqual([]);
    expect(rules(when(['b']), when(['b', 'c']), 'read')).toEqual(['then']);
    expect(rules({ type: 'object' }, when(['b']), 'read')).toEqual(['if', 'then']);
    expect(rules(when(['b']), { type: 'object' }, 'read')).toEqual([]);
  });

  test('counts a new field where readers refuse what they do not know, and only there', () => {
    const closed = { type: 'object', properties: { a: {} }, additionalProperties: false };
    const more = { type: 'object', properties: { a: {}, b: {} }, additionalProperties: false };
    expect(between(closed, more, 'write', true)).toMatchObject([{ path: 'b', rule: 'additionalProperties' }]);
    expect(between(closed, more, 'write', false)).toEqual([]);
    expect(between(closed, more, 'read')).toEqual([]);
  });

  test('counts other values of unknown fields, whatever readers ignore', () => {
    const mapOf = (type: string) => ({ type: 'object', additionalProperties: { type } });
    expect(between(mapOf('string'), mapOf('integer'), 'write', false)).toMatchObject([{ rule: 'additionalProperties' }]);
    expect(between(mapOf('string'), mapOf('string'), 'write', false)).toEqual([]);
  });
});
