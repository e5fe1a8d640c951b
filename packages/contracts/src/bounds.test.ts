import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Type, { type TSchema } from 'typebox';
import * as adminApi from './admin-api.ts';
import { boundsOf, withinBounds } from './bounds.ts';
import { ForecastContentQuery } from './forecast-api.ts';
import { NamedForecasts } from './forecast-query-api.ts';
import { ForecastSubmission } from './forecast-submission-api.ts';
import { routes } from './routes.ts';
import { formatLengths, patternLengths } from './text.ts';
import { ResolutionQuery } from './unclaimed-api.ts';
import { compileValidator } from './validator.ts';
import { UnclaimedQuery, warehouseEventSchemas } from './warehouse-api.ts';

const { TenantCreation, KeyIssue, WarehouseCreation, RedriveRequest, DiscardRequest, KeyListQuery, DeadLetterQuery } = adminApi;

/** Everything that a caller sends, by where it is sent. */
const requests: ReadonlyArray<readonly [string, unknown]> = [
  ...routes.flatMap(({ id, query, body }) => [[`query of ${id}`, query] as const, [`body of ${id}`, body] as const]),
  ...Object.entries({ TenantCreation, KeyIssue, WarehouseCreation, RedriveRequest, DiscardRequest, KeyListQuery, DeadLetterQuery }),
  ...Object.entries({ ForecastContentQuery, NamedForecasts, ResolutionQuery, UnclaimedQuery }),
  ...Object.entries(warehouseEventSchemas),
].filter(([, schema]) => schema !== undefined && schema !== 'multipart');

type Schema = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Schema => value !== null && typeof value === 'object' && !Array.isArray(value);

/** What is missing in one schema, without those inside it. */
function missingIn(schema: Schema): string[] {
  const is = (type: string): boolean => [schema['type']].flat().includes(type);
  const own = (name: string): boolean => typeof schema[name] === 'number';
  const isClosedList = schema['enum'] !== undefined || schema['const'] !== undefined;
  const bindsItself = formatLengths[String(schema['format'])] !== undefined || patternLengths[String(schema['pattern'])] !== undefined;
  const isMap = isObject(schema['patternProperties']) || isObject(schema['additionalProperties']);
  const names = schema['propertyNames'];
  return [
    ...(is('string') && !isClosedList && !bindsItself && !own('maxLength') ? ['maxLength'] : []),
    ...(is('array') && !own('maxItems') ? ['maxItems'] : []),
    ...(isMap && !own('maxProperties') ? ['maxProperties'] : []),
    ...(isMap && !(isObject(names) && typeof names['maxLength'] === 'number') ? ['propertyNames.maxLength'] : []),
  ];
}

/** Every bound that is missing in a schema, with the way to it. */
function missingBelow(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => missingBelow(each, `${path}/${index}`));
  if (!isObject(value)) return [];
  return [
    ...missingIn(value).map((keyword) => `${path}: ${keyword}`),
    // Schemas below propertyNames are texts without a type.
    ...Object.entries(value).flatMap(([key, each]) => (key === 'propertyNames' ? [] : missingBelow(each, `${path}/${key}`))),
  ];
}

describe('every array, map and text of a request has a bound', () => {
  test.each(requests)('%s', (_name, schema) => expect(missingBelow(schema, '')).toEqual([]));

  test('and one without is found, wherever it is', () => {
    const open = Type.Object({
      a: Type.Union([Type.Array(Type.String({ maxLength: 1 })), Type.Null()]),
      b: Type.Record(Type.String(), Type.String({ maxLength: 1 })),
      c: Type.Array(Type.Object({ d: Type.String() }), { maxItems: 1 }),
    });
    expect(missingBelow(open, '')).toEqual([
      '/properties/a/anyOf/0: maxItems',
      '/properties/b: maxProperties',
      '/properties/b: propertyNames.maxLength',
      '/properties/c/items/properties/d: maxLength',
    ]);
  });
});

test.each([...Object.entries(patternLengths)])('what matches %s is as short as is said', (pattern, most) => {
  fc.assert(fc.property(fc.stringMatching(new RegExp(pattern)), (text) => expect(text.length).toBeLessThanOrEqual(most)));
});

describe('what lies behind the bounds', () => {
  const many = (count: number): number[] => Array.from({ length: count }, () => 0);
  const names = (count: number): object => Object.fromEntries(many(count).map((zero, index) => [`n${index}`, zero]));
  const text = Type.String({ maxLength: 3 });
  const cases: ReadonlyArray<readonly [string, TSchema, unknown, unknown]> = [
    ['of an array', Type.Array(text, { maxItems: 2 }), many(1000), many(3)],
    ['of a text', text, 'x'.repeat(1000), 'x'.repeat(8)],
    ['of a map', Type.Record(Type.String(), text, { maxProperties: 2 }), names(1000), names(3)],
    ['of a closed object', Type.Object({ z: text }, { additionalProperties: false }), { ...names(1000), z: '' }, { ...names(101), z: '' }],
    ['of a union', Type.Union([text, Type.Array(text, { maxItems: 2 })]), many(9), many(3)],
    ['of what is deep inside', Type.Array(Type.Object({ a: Type.Array(text, { maxItems: 1 }) })), [{ a: many(9), b: 1 }], [{ a: many(2) }]],
    ['of a condition', Type.Object({}, { if: { properties: { a: { maxItems: 1 } } } }), { a: many(9) }, { a: many(2) }],
  ];

  test.each(cases)('%s is left out', (_name, schema, value, expected) => {
    expect(withinBounds(value, boundsOf(schema))).toEqual(expected);
  });

  test('is nothing in a valid value: it comes back as it is', () => {
    const item = { sku_code: 'S', product_name_en: 'P', forecast_quantity: 1, unknown: many(1000) };
    const value = { po_number: 'PO', warehouse_code: 'W', forecast_type: 1, items: [item], unknown: names(1000) };
    expect(withinBounds(value, boundsOf(ForecastSubmission))).toBe(value);
  });

  test('a name is cut in the path of an error, and never becomes a prototype', () => {
    const closed = compileValidator(Type.Object({ a: text }, { additionalProperties: false }));
    const fields = closed.errors({ ['x'.repeat(1_000_000)]: 1 }).map(({ field }) => field);
    expect(fields.sort()).toEqual(['a', 'x'.repeat(100)]);
    const polluted = JSON.parse(`{"__proto__":{"a":"x"},"a":"${'x'.repeat(99)}"}`) as object;
    expect(
      closed
        .errors(polluted)
        .map(({ field }) => field)
        .sort(),
    ).toEqual(['__proto__', 'a']);
  });
});
