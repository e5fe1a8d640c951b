import { describe, expect, test } from '@jest/globals';
import { headerErrors } from './custom-headers.ts';

describe('custom headers', () => {
  test.each(['Authorization', 'X-Team', 'x_1', "!#$%&'*+.^_`|~-"])('may be named %s', (name) => {
    expect(headerErrors({ [name]: 'x' })).toEqual([]);
  });

  const ofHttp =
    'Accept-Encoding Connection Content-Encoding Content-Length Content-Type Date Expect host Keep-Alive TE Trailer Transfer-Encoding Upgrade';
  const ofPlatform = 'traceparent tracestate User-Agent WEBHOOK-ID webhook-anything proxy-authorization sec-fetch-mode';

  test.each([
    ...`${ofHttp} ${ofPlatform}`.split(' ').map((name) => [name, 'reserved']),
    ...['a b', 'a:', 'ü', '', 'x'.repeat(65), 'a\r\nb'].map((name) => [name, 'pattern']),
  ])('may not be named %p', (name, rule) => {
    expect(headerErrors({ [name as string]: 'x' })).toEqual([expect.objectContaining({ field: `headers.${name}`, rule })]);
  });

  test('may not be there twice, nor have the value that hides the real one', () => {
    expect(headerErrors({ 'X-A': '1', 'x-a': '2' })).toEqual([expect.objectContaining({ field: 'headers.x-a', rule: 'unique_items' })]);
    expect(headerErrors({ 'X-A': '***' })).toEqual([expect.objectContaining({ rule: 'hidden' })]);
    expect(headerErrors(undefined)).toEqual([]);
  });
});
