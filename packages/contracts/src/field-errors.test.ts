import { describe, expect, test } from '@jest/globals';
import Type from 'typebox';
import * as adminApi from './admin-api.ts';
import { domainEventSchemas } from './domain-events.ts';
import { routes } from './routes.ts';
import { item, submission, valid, violated } from './testing/submission.ts';
import {
  CODE_PATTERN,
  EVENT_ID_PATTERN,
  EXTERNAL_ID_PATTERN,
  httpsUrl,
  instant,
  integerPatternMaximum,
  nullable,
  oneOf,
  patternMessages,
  TEXT_PATTERN,
  webUrl,
} from './text.ts';
import { compileValidator } from './validator.ts';
import * as warehouseApi from './warehouse-api.ts';

describe('messages', () => {
  const schema = Type.Object({
    code: Type.String({ pattern: CODE_PATTERN }),
    kind: oneOf(['a', 'b'], 'kind'),
    note: nullable(Type.String()),
    tags: Type.Array(Type.String(), { minItems: 1, uniqueItems: true }),
  });
  const validator = compileValidator(schema);
  const messages = (value: unknown) => Object.fromEntries(validator.errors(value).map(({ field, message }) => [field, message]));

  test('are sentences for people, without regular expressions', () => {
    expect(messages({ code: '-', kind: 'c', note: null, tags: ['x', 'x'] })).toEqual({
      code: 'code must start with a letter or digit and contain only letters, digits and . _ -',
      kind: 'kind must be one of a, b',
      tags: 'tags must not contain the same element twice',
    });
    expect(messages({})).toEqual({
      code: 'code is required',
      kind: 'kind is required',
      note: 'note is required',
      tags: 'tags is required',
    });
    expect(messages({ code: 'A', kind: 'a', note: 'n', tags: [] })).toEqual({ tags: 'tags must have at least 1 element' });
  });
});

describe('field paths', () => {
  test('lead through arrays, and all errors come at once', () => {
    const items = [item, { product_name_en: '', forecast_quantity: 0 }, item, { ...item, sku_code: 7, hs_code: '85' }];
    expect(violated({ ...valid, po_number: ' PO', items })).toEqual([
      'items[1].forecast_quantity minimum',
      'items[1].product_name_en min_length',
      'items[1].sku_code required',
      'items[3].hs_code pattern',
      'items[3].sku_code type',
      'po_number pattern',
    ]);
  });

  test('are empty for the root', () => {
    expect(submission.errors(null)).toEqual([{ field: '', rule: 'type', message: 'The body must be an object' }]);
  });

  test('keep field names that need escaping in a JSON pointer', () => {
    const odd = compileValidator(Type.Object({ 'a/b~c': Type.Object({ 'd.e': Type.Integer() }) }));
    expect(odd.errors({ 'a/b~c': { 'd.e': 'x' } })).toMatchObject([{ field: 'a/b~c.d.e', rule: 'type' }]);
  });

  test('name an unknown field where none is allowed, and those that are known', () => {
    const number = Type.Optional(Type.Integer());
    const closed = compileValidator(Type.Object({ a: number, c: number }, { additionalProperties: false }));
    expect(closed.errors({ b: 1 })).toEqual([{ field: 'b', rule: 'unknown', message: 'b is not known here; known are a, c' }]);
    const empty = compileValidator(Type.Object({}, { additionalProperties: false }));
    expect(empty.errors({ b: 1 })).toMatchObject([{ message: 'b is not known here' }]);
  });
});

describe('names in a map', () => {
  const map = compileValidator(
    Type.Object({ m: Type.Record(Type.String(), Type.String(), { maxProperties: 2, propertyNames: { minLength: 1, maxLength: 3 } }) }),
  );

  test('are judged as values are', () => {
    expect(map.errors({ m: { abc: 'x' } })).toEqual([]);
    expect(map.errors({ m: { abcd: 'x', '': 'x' } })).toEqual([
      { field: 'm.abcd', rule: 'max_length', message: 'The name of m.abcd must have at most 3 characters' },
      { field: 'm.', rule: 'min_length', message: 'The name of m. must not be empty' },
    ]);
  });
});

describe('formats', () => {
  const date = (due_date: string) => violated({ ...valid, due_date });
  test.each(['2028-02-29', '2000-01-01', '2100-12-31'])('%s is a date', (text) => expect(date(text)).toEqual([]));
  test.each(['2026-02-29', '2026-1-1', ''])('%p is no date', (text) => expect(date(text)).toEqual(['due_date format']));

  const time = compileValidator(instant('t'));
  test.each(['2026-01-31T08:00:00Z', '2026-01-31T08:00:00+08:00', '2026-01-31T08:00:00.123456-05:30'])('%s is an instant', (text) =>
    expect(time.is(text)).toBe(true),
  );
  test.each(['2026-01-31T08:00:00', '2026-01-31 08:00:00Z', '2026-02-30T08:00:00Z', '2026-12-31T23:59:60Z'])('%p is no instant', (text) =>
    expect(time.errors(text)).toMatchObject([{ field: '', rule: 'format' }]),
  );

  const https = compileValidator(httpsUrl('u'));
  const web = compileValidator(webUrl('u'));
  test('https only, unless http is allowed as well', () => {
    expect([https.is('https://a.example/x?y=1#z'), https.is('http://a.example'), web.is('http://a.example')]).toEqual([true, false, true]);
  });
  test.each([
    'ftp://a.example',
    'javascript:alert(1)',
    '//a.example',
    'a.example',
    'https://',
    'https://a b',
    'https://a\n',
    ' https://a.example',
    '',
  ])('%p is no URL', (text) => expect([https.is(text), web.is(text)]).toEqual([false, false]));
});

test('a day lies in the years 2000 to 2100', () => {
  expect(violated({ ...valid, due_date: '0000-01-01' })).toEqual(['due_date minimum']);
  expect(submission.errors({ ...valid, due_date: '1999-12-31' })).toMatchObject([{ message: 'due_date must be 2000-01-01 or later' }]);
  expect(submission.errors({ ...valid, due_date: '2101-01-01' })).toMatchObject([{ message: 'due_date must be 2100-12-31 or earlier' }]);
});

/** Every pattern below a value, whatever it is. */
function patternsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const { pattern } = value as { readonly pattern?: unknown };
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(value).flatMap(patternsIn)];
}

const sources: Readonly<Record<string, unknown>> = {
  routes: routes.map(({ body, query, data }) => ({ body, query, data })),
  'admin-api': { ...adminApi },
  'domain-events': domainEventSchemas,
  'warehouse-api': { ...warehouseApi },
};

describe('patterns', () => {
  test.each(Object.keys(sources))('of %s have a sentence each', (name) => {
    const speechless = [...new Set(patternsIn(sources[name]))].filter((pattern) => patternMessages[pattern] === undefined);
    expect(speechless).toEqual([]);
  });

  test.each(Object.entries(integerPatternMaximum))('%s allows the integers from 1 to %i, and no others', (pattern, most) => {
    const matches = (value: unknown): boolean => new RegExp(pattern, 'u').test(String(value));
    const allowed = Array.from({ length: most + 10 }, (_, value) => value).filter(matches);
    expect([allowed.length, allowed[0], allowed.at(-1)]).toEqual([most, 1, most]);
    for (const value of ['', '-1', '01', '1.0', '1e2', ' 1', '1\n']) expect([value, matches(value)]).toEqual([value, false]);
  });
});

const matches = (pattern: string, value: string): boolean => new RegExp(pattern, 'u').test(value);

/** Pattern, its name, what it accepts, what it refuses. */
const cases: readonly (readonly [name: string, pattern: string, accepted: readonly string[], refused: readonly string[]])[] = [
  ['text', TEXT_PATTERN, ['', 'a b', ' edge ', '快递', '😀'], ['a\u0000', 'a\nb', '\t', '\u007f', '\u0085']],
  ['event id', EVENT_ID_PATTERN, ['a', '.a', '..a.', 'wh:1/2@x.y+z_-', '-', '/'], ['', '.', '..', '...', 'a b', 'ä', 'a\n', '.\n']],
  ['outside id', EXTERNAL_ID_PATTERN, ['a', 'wh:1/2@x.y+z_-', 'a'.repeat(128)], ['', 'a b', 'ä', 'a'.repeat(129), 'a\n']],
  ['code', CODE_PATTERN, ['A', 'LAX-1', '4px.us_2'], ['', '-A', '.a', 'A B', 'Ä', 'A\n']],
];

describe.each(cases)('the pattern of %s', (_name, pattern, accepted, refused) => {
  test('accepts what is meant', () => {
    expect(accepted.filter((value) => !matches(pattern, value))).toEqual([]);
  });

  test('refuses everything else', () => {
    expect(refused.filter((value) => matches(pattern, value))).toEqual([]);
  });
});

describe('laws of the patterns', () => {
  test.each(cases)('a hostile %s is judged in linear time', (_name, pattern) => {
    // A pattern that backtracks exponentially would never return from these.
    for (const value of [`${' -'.repeat(20_000)}\u0000`, `${'1 '.repeat(20_000)}\n`, `${'. '.repeat(20_000)}x\u0000`]) {
      expect(matches(pattern, value)).toBe(false);
    }
  });
});
