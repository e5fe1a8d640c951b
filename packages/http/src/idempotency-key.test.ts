import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { idempotencyKeyOf } from './idempotency-key.ts';

const keyOf = (value?: string): string | undefined =>
  idempotencyKeyOf({ headers: value === undefined ? {} : { 'idempotency-key': value } } as unknown as IncomingMessage);

test.each<[string | undefined, string | undefined]>([
  [undefined, undefined],
  ['a', 'a'],
  ['~'.repeat(64), '~'.repeat(64)],
  ['"8e03978e-40d5"', '8e03978e-40d5'],
  ['"a\\"b\\\\c"', 'a"b\\c'],
  ['a"b', 'a"b'],
])('%p is the key %p', (given, key) => {
  expect(keyOf(given)).toBe(key);
});

test.each(['', ' ', 'a b', 'ü', 'a'.repeat(65), '""', '"', '"a', '"a"b', '"a b"', '"a\\c"', `"${'a'.repeat(65)}"`, 'one, two'])(
  '%p is refused by the name of the header',
  (given) => {
    const errors = [expect.objectContaining({ field: 'Idempotency-Key' })];
    expect(() => keyOf(given)).toThrow(expect.objectContaining({ code: '42201', data: { errors } }));
  },
);
