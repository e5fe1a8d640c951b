import { describe, expect, test } from '@jest/globals';
import type { Direction } from './schema-misfits.ts';
import { schemaMisfits } from './schema-misfits.ts';

const between = (before: unknown, after: unknown, direction: Direction, strictReaders = true) =>
  schemaMisfits(before, after, { direction, strictReaders, old: {}, new: {} });
const rules = (before: unknown, after: unknown, direction: Direction) =>
  between(before, after, direction).map(({ path, rule }) => [path, rule].filter(Boolean).join(' '));

/** A schema, and one that allows less. */
const narrowings: readonly (readonly [wide: object, narrow: object])[] = [
  [{ type: ['string', 'null'] }, { type: 'string' }],
  [
    { type: 'string', minLength: 1 },
    { type: 'string', minLength: 2 },
  ],
  [{ type: 'string' }, { type: 'string', pattern: '^a' }],
  [
    { type: 'integer', minimum: 1 },
    { type: 'integer', minimum: 2 },
  ],
  [
    { type: 'integer', maximum: 4 },
    { type: 'integer', maximum: 3 },
  ],
  [
    { type: 'number', exclusiveMinimum: 1 },
    { type: 'number', exclusiveMinimum: 2 },
  ],
  [
    { type: 'number', exclusiveMaximum: 4 },
    { type: 'number', exclusiveMaximum: 3 },
  ],
  [{ enum: ['a', 1, null] }, { enum: ['a', 1] }],
  [{ enum: ['a', 'b'] }, { const: 'a' }],
  [
    { type: 'object', properties: { a: {} } },
    { type: 'object', properties: { a: {} }, required: ['a'] },
  ],
  [
    { type: 'object', properties: { a: { type: 'array' } } },
    { type: 'object', properties: { a: { type: 'array', maxItems: 1 } } },
  ],
  [
    { type: 'object', maxProperties: 2 },
    { type: 'object', maxProperties: 1 },
  ],
  [
    { type: 'object', minProperties: 1 },
    { type: 'object', minProperties: 2 },
  ],
  [
    { type: 'array', items: { type: 'number' } },
    { type: 'array', items: { type: 'integer' } },
  ],
  [
    { type: 'array', minItems: 1 },
    { type: 'array', minItems: 2 },
  ],
  [{ type: 'array' }, { type: 'array', uniqueItems: true }],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string' }],
];

test.each(narrowings)('%j is wider than %j: who sends may not lose it, who receives may not get it', (wide, narrow) => {
  const count = (before: object, after: object, direction: Direction): number => between(before, after, direction).length;
  expect([count(wide, narrow, 'read'), count(narrow, wide, 'write')]).toEqual([1, 1]);
  expect([count(narrow, wide, 'read'), count(wide, narrow, 'write')]).toEqual([0, 0]);
  expect([count(wide, wide, 'read'), count(narrow, narrow, 'write')]).toEqual([0, 0]);
});

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
