import { expect, test } from '@jest/globals';
import { networkOf } from './client-network.ts';
import { encodingErrors } from './percent-encoding.ts';
import { newRequestId, requestIdFrom } from './request-id.ts';

test('a new id names the process and counts', () => {
  const [first, second] = [newRequestId(), newRequestId()];
  expect(first).toMatch(/^req_[0-9a-f]{18}[0-9a-z]{8}$/);
  expect(second.slice(0, 22)).toBe(first.slice(0, 22));
  expect(Number.parseInt(second.slice(22), 36)).toBe(Number.parseInt(first.slice(22), 36) + 1);
});

test.each(['a', 'A-b_c.9', 'x'.repeat(64)])('the id %p of a client is kept', (given) => expect(requestIdFrom(given)).toBe(given));

test.each([null, '', 'x'.repeat(65), 'a b', 'a\nb', ' a', 'a ', 'é', `pf_test_${'a'.repeat(38)}`])('%p is replaced', (given) => {
  expect(requestIdFrom(given)).toMatch(/^req_/);
});

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

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('%s is of %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
