import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { codeOf, messageOf } from './caught-error.ts';

/** What Node itself throws: in a test, its class is not the `Error` of the test. */
function systemError(): unknown {
  try {
    return readFileSync('/no/such/file');
  } catch (error) {
    return error;
  }
}

test('a system error has its code and its message', () => {
  expect(codeOf(systemError())).toBe('ENOENT');
  expect(messageOf(systemError())).toContain('no such file or directory');
});

test('an error without a code has none', () => {
  expect(codeOf(new Error('no such luck'))).toBeUndefined();
  expect(messageOf(new Error('no such luck'))).toBe('no such luck');
});

test.each([undefined, null, 'a text', 5])('%p is taken as a text without a code', (thrown) => {
  expect(codeOf(thrown)).toBeUndefined();
  expect(messageOf(thrown)).toBe(String(thrown));
});
