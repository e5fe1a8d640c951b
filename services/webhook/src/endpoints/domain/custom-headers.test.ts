import { describe, expect, test } from '@jest/globals';
import { headerErrors } from './custom-headers.ts';

describe('custom headers', () => {
  test.each(['Authorization', 'X-Team', 'x_1', "!#$%&'*+.^_`|~-"])('may be named %s', (name) => {
    expect(headerErrors({ [name]: 'x' })).toEqual([]);
  });

  test.each([
    ['Content-Type', 'reserved'],
    ['WEBHOOK-ID', 'reserved'],
    ['webhook-anything', 'reserved'],
    ['host', 'reserved'],
    ['Transfer-Encoding', 'reserved'],
    ['proxy-authorization', 'reserved'],
    ['traceparent', 'reserved'],
    ['a b', 'pattern'],
    ['a:', 'pattern'],
    ['ü', 'pattern'],
    ['', 'pattern'],
    ['x'.repeat(65), 'pattern'],
    ['a\r\nb', 'pattern'],
  ])('may not be named %p', (name, rule) => {
    expect(headerErrors({ [name]: 'x' })).toEqual([expect.objectContaining({ field: `headers.${name}`, rule })]);
  });

  test('may not be there twice, nor have the value that hides the real one', () => {
    expect(headerErrors({ 'X-A': '1', 'x-a': '2' })).toEqual([expect.objectContaining({ field: 'headers.x-a', rule: 'unique_items' })]);
    expect(headerErrors({ 'X-A': '***' })).toEqual([expect.objectContaining({ rule: 'hidden' })]);
    expect(headerErrors(undefined)).toEqual([]);
  });
});
