import { expect, test } from '@jest/globals';
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
