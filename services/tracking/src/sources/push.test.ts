import { expect, test } from '@jest/globals';
import { digestOfBody, equalInConstantTime, parseJsonBody } from './push.ts';

test('texts of any length are compared', () => {
  expect(equalInConstantTime('abc', 'abc')).toBe(true);
  for (const other of ['', 'ab', 'abd', 'abcd', 'ABC']) expect(equalInConstantTime(other, 'abc')).toBe(false);
  for (const none of [undefined, ['abc'], 5]) expect(equalInConstantTime(none, 'abc')).toBe(false);
});

test('a body has one digest, whatever it holds', () => {
  expect(digestOfBody(Buffer.from('{}'))).toBe(digestOfBody(new Uint8Array([0x7b, 0x7d])));
  expect(digestOfBody(Buffer.from('{} '))).not.toBe(digestOfBody(Buffer.from('{}')));
});

test('a body that is no JSON in UTF-8 is refused', () => {
  expect(parseJsonBody(Buffer.from('{"a":[1]}'))).toEqual({ a: [1] });
  for (const bad of [Buffer.from(''), Buffer.from('{'), Buffer.from([0x22, 0xff, 0x22])])
    expect(() => parseJsonBody(bad)).toThrow('not JSON');
});
