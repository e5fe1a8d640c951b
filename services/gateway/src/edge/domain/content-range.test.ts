import { describe, expect, test } from '@jest/globals';
import { rangeIn, repeatableRange } from './content-range.ts';

const CONTENT = ['Accept-Ranges', 'bytes', 'Cache-Control', 'private, max-age=31536000, immutable'];

describe('the part of a content that can be asked for again', () => {
  test('is all of it, or the range that was asked for', () => {
    expect(repeatableRange({ status: 200, headers: CONTENT, contentLength: 10 })).toEqual({ first: 0, last: 9 });
    expect(repeatableRange({ status: 206, headers: [...CONTENT, 'Content-Range', 'bytes 5-8/10'], contentLength: 4 })).toEqual({
      first: 5,
      last: 8,
    });
  });

  test.each([
    ['content that may change', 200, ['Accept-Ranges', 'bytes', 'Cache-Control', 'no-store'], 10],
    ['a service without ranges', 200, CONTENT.slice(2), 10],
    ['an unknown length', 200, CONTENT, null],
    ['several ranges', 206, [...CONTENT, 'Content-Type', 'multipart/byteranges'], 10],
    ['an error', 404, CONTENT, 10],
  ])('is none for %s', (_what, status, headers, contentLength) => {
    expect(repeatableRange({ status, headers, contentLength })).toBeUndefined();
  });

  test('is read from Content-Range', () => {
    expect(rangeIn(['X', 'y', 'content-range', 'bytes 0-0/*'])).toEqual({ first: 0, last: 0 });
    expect(rangeIn(['Content-Range', 'bytes */10'])).toBeUndefined();
    expect(rangeIn([])).toBeUndefined();
  });
});
