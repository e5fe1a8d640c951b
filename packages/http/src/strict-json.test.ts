import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import fc from 'fast-check';
import { MAX_JSON_DEPTH, parseStrictJson } from './strict-json.ts';

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
});
