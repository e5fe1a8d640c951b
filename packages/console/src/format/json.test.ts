import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonTokens, prettyJson } from './json.ts';

test('JSON is set out in lines; anything else stays as it is', () => {
  expect(prettyJson('{"a":[1,null]}')).toBe('{\n  "a": [\n    1,\n    null\n  ]\n}');
  expect(prettyJson('upstream connect error')).toBe('upstream connect error');
  expect(prettyJson('{"cut off')).toBe('{"cut off');
});

test('pieces are distinguished', () => {
  expect(jsonTokens('{"a": "b\\"c", "n": -1.5e3, "t": true}').filter(([kind]) => kind !== 'plain')).toEqual([
    ['key', '"a"'],
    ['string', '"b\\"c"'],
    ['key', '"n"'],
    ['number', '-1.5e3'],
    ['key', '"t"'],
    ['word', 'true'],
  ]);
});

test('whatever the text, its pieces are the whole of it', () => {
  const texts = fc.oneof(fc.string(), fc.json());
  fc.assert(
    fc.property(texts, (text) => {
      const joined = jsonTokens(text).map(([, piece]) => piece);
      expect(joined.join('')).toBe(text);
    }),
  );
});
