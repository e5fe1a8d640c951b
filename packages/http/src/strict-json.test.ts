import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import fc from 'fast-check';
import { createSealedCursors } from './sealed-cursor.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, parseStrictJson } from './strict-json.ts';

const parse = (text: string | Uint8Array) => parseStrictJson(typeof text === 'string' ? Buffer.from(text) : text);

function refusal(text: string | Uint8Array): AppError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`accepted ${String(text)}`);
}

describe('parseStrictJson', () => {
  test('agrees with JSON.parse on every JSON value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, stringUnit: 'grapheme' }), (text) => {
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('refuses depth before anything is parsed', () => {
    // Not JSON at all: the parser would have found that out only after millions of arrays.
    expect(refusal('['.repeat(1_000_000)).message).toContain('nested deeper than 32');
    expect(refusal(`["${'['.repeat(100)}"`).message).toContain('well-formed JSON');
  });

  test.each([
    ['', 'well-formed JSON'],
    ['{"a":1,}', 'well-formed JSON'],
    ['{"a":1,"b":{"c":1,"c":2}}', '"c" occurs twice'],
    ['{"a":1,"\\u0061":2}', '"a" occurs twice'],
    ['[{"a":"x\\\\"},{"b":1,"b":2}]', '"b" occurs twice'],
    [`${'['.repeat(MAX_JSON_DEPTH + 1)}${']'.repeat(MAX_JSON_DEPTH + 1)}`, 'nested deeper'],
    ['{"a":"\\ud800"}', 'surrogate'],
    ['{"\\udc00":1}', 'surrogate'],
  ])('refuses %s', (text, sentence) => {
    const error = refusal(text);
    expect(error.code).toBe('40001');
    expect(error.message).toContain(sentence);
  });

  test('refuses bytes that are no UTF-8', () => {
    expect(refusal(Buffer.from([0x22, 0xc3, 0x28, 0x22])).message).toContain('UTF-8');
  });

  test('accepts the deepest allowed nesting, equal names in different objects, and surrogate pairs', () => {
    const deepest = `${'['.repeat(MAX_JSON_DEPTH)}${']'.repeat(MAX_JSON_DEPTH)}`;
    expect(parse(deepest)).toEqual(JSON.parse(deepest));
    expect(parse('[{"a":1},{"a":"{\\"a\\":1}"}]')).toEqual([{ a: 1 }, { a: '{"a":1}' }]);
    expect(parse('"\\ud83d\\ude00"')).toBe('😀');
  });

  test('does not touch the prototype', () => {
    const value = parse('{"__proto__":{"polluted":true}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('a name is repeated whichever names an object has besides', () => {
    const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '0', '', 'é');
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
        const text = `[{"a":[{}]},{${names.map((each) => `${JSON.stringify(each)}:{"x":1}`).join()}}]`;
        const isRepeated = new Set(names).size < names.length;
        expect(isRepeated ? refusal(text).message : parse(text)).toEqual(isRepeated ? expect.stringContaining('twice') : JSON.parse(text));
      }),
    );
  });
});

describe('the number of values', () => {
  const list = (count: number, unit = '0'): string => `[${Array.from({ length: count }, () => unit).join()}]`;
  const refusedAt = (text: string): unknown => (refusal(text).data as { errors: Array<{ field: string; rule: string }> } | null)?.errors;

  test('may be as large as the limit', () => {
    expect(parse(list(MAX_JSON_VALUES))).toHaveLength(MAX_JSON_VALUES);
    expect(refusedAt(list(MAX_JSON_VALUES + 1))).toMatchObject([{ field: '', rule: 'max_values' }]);
  });

  test.each([
    ['filter.admin_status', `{"url":"x","filter":{"po_number":[1,"]"],"admin_status":${list(MAX_JSON_VALUES)}}}`],
    ['items', `{"items":${list(MAX_JSON_VALUES, '{}')}}`],
    ['items[1].a', `{"items":[{},{"a":${list(MAX_JSON_VALUES, '"\\",["')}}]}`],
    ['items', `{"items":${list(MAX_JSON_VALUES / 2, '{"a":1}')}}`],
    ['', `{${Array.from({ length: MAX_JSON_VALUES + 1 }, (_, index) => `"k${index}":0`).join()}}`],
    ['x'.repeat(100), `{"${'x'.repeat(1000)}":${list(MAX_JSON_VALUES)}}`],
    ['a"b', `{"a\\"b":${list(MAX_JSON_VALUES)}}`],
  ])('is refused at %j', (field, text) => {
    expect(refusal(text).code).toBe('42201');
    expect(refusedAt(text)).toMatchObject([{ field, rule: 'max_values' }]);
  });
});

describe('numbers', () => {
  test.each([
    '0',
    '-0',
    '0.0000',
    '12.5',
    '1e3',
    '1E-7',
    '3.0',
    '100000000000000000000',
    '9007199254740992',
    '0.1',
    '99999999.9999',
    '1e23',
  ])('%s is read as it is written', (text) => expect(parse(text)).toBe(Number(text)));

  test.each([
    '99999999.99990000000001',
    '0.1000000000000000055511151231257827',
    '9007199254740993',
    '12345678901234567890',
    '1e400',
    '1e-400',
    '1.00000000000000000000000000001',
    `0.${'0'.repeat(400)}1`,
  ])('%s becomes infinite, which no schema accepts', (text) => {
    expect(parse(text)).toBe(Number.POSITIVE_INFINITY);
    expect(parse(`{"a":[-${text},"${text}",{"b":${text}}]}`)).toMatchObject({ a: [expect.anything(), text, {}] });
  });

  test.each(['00000000000000001', '1e5e5', '1.2.3e4', '-', '1e', '.5e1', '0x1000000000000001'])('%s is no JSON', (text) => {
    expect(refusal(text).code).toBe('40001');
  });

  test('an error after an inexact number names its position in the text', () => {
    expect(refusal('[1.00000000000000001 2]').message).toContain('at position 21');
  });

  test('what JSON.stringify writes is always exact', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => expect(parse(JSON.stringify(value))).toBe(value + 0)),
    );
  });

  test('a million zeros are looked at once', () => {
    expect(parse(`1${'0'.repeat(300)}.${'0'.repeat(1_000_000)}`)).toBe(1e300);
    expect(parse(`0.${'0'.repeat(1_000_000)}1`)).toBe(Number.POSITIVE_INFINITY);
    expect(parse(`0.1${'0'.repeat(1_000_000)}1`)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a sealed cursor', () => {
  const [SECRET, NEXT] = ['a secret of the tests that is long enough', 'the next secret of the tests, long enough'];
  const cursors = createSealedCursors([SECRET], 'events');
  const place = fc.stringMatching(/^[\x21-\x7e]{1,320}$/);

  test('leads back to its place, for its tenant', () => {
    fc.assert(
      fc.property(place, (value) => {
        const cursor = cursors.seal('tnt_1', value);
        expect(cursor).toMatch(/^[\w.-]{1,512}$/);
        expect(cursors.open('tnt_1', cursor)).toBe(value);
      }),
    );
  });

  test('is nothing to another tenant or list, nor when it was changed', () => {
    const cursor = cursors.seal('tnt_1', '42');
    expect(cursors.open('tnt_2', cursor)).toBeUndefined();
    expect(createSealedCursors([SECRET], 'deliveries').open('tnt_1', cursor)).toBeUndefined();
    for (const wrong of ['', '2.x', `${cursor}AAAA`, cursor.slice(0, -4)]) expect(cursors.open('tnt_1', wrong)).toBeUndefined();
  });

  test('is opened by either secret while one takes the place of the other', () => {
    const next = createSealedCursors([NEXT, SECRET], 'events');
    expect(next.open('tnt_1', cursors.seal('tnt_1', '42'))).toBe('42');
    expect(createSealedCursors([NEXT], 'events').open('tnt_1', next.seal('tnt_1', '43'))).toBe('43');
  });

  test('reveals nothing about the place: two cursors of one place differ, and all have the same length', () => {
    expect(cursors.seal('tnt_1', '7')).not.toBe(cursors.seal('tnt_1', '7'));
    expect(cursors.seal('tnt_1', '7')).toHaveLength(cursors.seal('tnt_1', '700000000').length);
  });
});
