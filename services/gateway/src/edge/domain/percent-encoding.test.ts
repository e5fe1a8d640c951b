import { expect, test } from '@jest/globals';
import { encodingErrors } from './percent-encoding.ts';

const fieldsOf = (pattern: string, full: string): string[] =>
  encodingErrors(pattern, { path: full.split('?')[0] as string, full }).map(({ field }) => field);

test.each([
  ['/a/plain', []],
  ['/a/%e9%87%87?b=%f0%9f%93%a6&c=+%2B%25', []],
  ['/a/%ff', ['id']],
  ['/a/%', ['id']],
  ['/a/%zz', ['id']],
  ['/a/%c0%af', ['id']],
  ['/a/%ed%a0%80', ['id']],
  ['/a/x?b=%ff', ['b']],
  ['/a/x?b=%e9%87', ['b']],
  ['/a/x?b=1&c=%f5&d=%25&e=%2', ['c', 'e']],
  ['/a/x?%ff', ['%ff']],
  ['/a/x?b=%e9&c=%87%87', ['b', 'c']],
  ['/a/%ff?b=%ff', ['id', 'b']],
])('%s: %j', (full, fields) => {
  expect(fieldsOf('/a/{id}', full)).toEqual(fields);
});

test('says what is allowed, and shows the name as it came, cut', () => {
  expect(encodingErrors('/a', { path: '/a', full: '/a?b=%ff' })).toEqual([
    { field: 'b', rule: 'encoding', message: 'b must be percent-encoded UTF-8; a percent sign is written %25' },
  ]);
  expect(fieldsOf('/a', `/a?${'n'.repeat(500)}=%ff`)).toEqual(['n'.repeat(100)]);
});
