import { expect, test } from '@jest/globals';
import { RequestKeys } from './request-keys.ts';

test('a repeat has the key of the first try, another request has another one', () => {
  const keys = new RequestKeys();
  const first = keys.keyOf('a');
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.keyOf('a')).toBe(first);
  expect(keys.keyOf('b')).not.toBe(first);
  expect(keys.keyOf('a')).not.toBe(first);
});
